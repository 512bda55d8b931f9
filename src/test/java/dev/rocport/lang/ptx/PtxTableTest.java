package dev.rocport.lang.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PtxTableTest {
  @Test
  void everyFormMakesSense() {
    new PtxTable(RuleCatalog.builtIn().ptx()).check();
  }

  @Test
  void qualifiersAreASetButTypesKeepTheirOrder() throws PtxException {
    PtxTable table =
        table("ld.acquire.{S:gpu,sys}.global.{T:u32,u64} d, [a]", "cvt.rn.f16.f32 d, a:f32");
    assertThat(fits(table, "ld.global.sys.acquire.u32 %0, [%1]")).isTrue();
    assertThat(fits(table, "ld.acquire.sys.global.u64 %0, [%1+8]")).isTrue();
    assertThat(fits(table, "ld.acquire.global.u64 %0, [%1]")).isFalse();
    assertThat(fits(table, "ld.acquire.sys.gpu.global.u64 %0, [%1]")).isFalse();
    assertThat(fits(table, "cvt.rn.f16.f32 %0, %1")).isTrue();
    assertThat(fits(table, "cvt.rn.f32.f16 %0, %1")).isFalse();
  }

  @Test
  void optionalPartsMayBeAbsent() throws PtxException {
    PtxTable table = table("add[.ftz][.{sat,rn}].f32 d, a, b");
    assertThat(fits(table, "add.f32 %0, %1, %2")).isTrue();
    assertThat(fits(table, "add.sat.ftz.f32 %0, %1, %2")).isTrue();
    assertThat(fits(table, "add.sat.rn.f32 %0, %1, %2")).isFalse();
    assertThat(fits(table, "add.f32 %0, %1")).isFalse();
  }

  @Test
  void aFormThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> table("add.{u32 d, a").check())
        .isInstanceOf(InvalidFileException.class);
    assertThatThrownBy(() -> table("add.u32 d:word, a").check())
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("no type 'word'");
    assertThatThrownBy(
            () ->
                new PtxTable(
                        List.of(new PtxRow("neg.s32 d, a", "-{b}", "exact", "-", "m", "", "R")))
                    .check())
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("'{b}' is not in the form");
  }

  private static PtxTable table(String... forms) {
    return new PtxTable(
        java.util.Arrays.stream(forms)
            .map(f -> new PtxRow(f, "x({a})", "exact", "-", "m", "", "R"))
            .toList());
  }

  private static boolean fits(PtxTable table, String text) throws PtxException {
    return table.match((Item.Instruction) PtxParser.template(text).getFirst()) != null;
  }
}
