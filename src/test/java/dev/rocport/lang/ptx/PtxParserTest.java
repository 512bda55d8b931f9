package dev.rocport.lang.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PtxParserTest {
  @Test
  void operandsOfEveryForm() throws PtxException {
    Item.Instruction i =
        (Item.Instruction)
            PtxParser.template("x.y::z.u32 {%0, _}, d|p, [%1 + -4, {%2}], !%%p, 0f3F800000, -0x1F;")
                .getFirst();
    assertThat(i.head()).isEqualTo("x.y::z.u32");
    assertThat(i.operands())
        .containsExactly(
            new Operand.Vector(List.of(new Operand.Outer(0), new Operand.Sink())),
            new Operand.Pair(new Operand.Symbol("d"), new Operand.Symbol("p")),
            new Operand.Address(
                new Operand.Outer(1),
                -4,
                List.of(new Operand.Vector(List.of(new Operand.Outer(2))))),
            new Operand.Not(new Operand.Special("%p")),
            new Operand.Immediate("0f3F800000"),
            new Operand.Immediate("-0x1F"));
  }

  @Test
  void aNameIsARegisterInsideOfItsScope() throws PtxException {
    List<Item> items =
        PtxParser.template("{ .reg .b32 %r<2>, t; mov.b32 %r1, t; } mov.b32 %r1, t;");
    Item.Instruction inside = (Item.Instruction) ((Item.Scope) items.get(0)).items().get(1);
    Item.Instruction outside = (Item.Instruction) items.get(1);
    assertThat(inside.operands())
        .containsExactly(new Operand.Register("%r1"), new Operand.Register("t"));
    assertThat(outside.operands())
        .containsExactly(new Operand.Special("%r1"), new Operand.Symbol("t"));
  }

  @Test
  void guardsLabelsAndComments() throws PtxException {
    List<Item> items =
        PtxParser.template("/* a */ wait%=: // b\n@!%p bra.uni wait%=; ;; .pragma \"nounroll\";");
    assertThat(items).hasSize(3);
    assertThat(((Item.Label) items.get(0)).name()).isEqualTo("wait%=");
    Item.Guard guard = ((Item.Instruction) items.get(1)).guard();
    assertThat(guard).isEqualTo(new Item.Guard(new Operand.Special("%p"), true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{ add.u32 %0, %0, 1;~0~unclosed '{'",
        "add.u32 %0 %1~11~expected ';'",
        "add.u32 %0,~11~expected an operand",
        "/* never~0~unterminated comment",
        "1abc;~0~not an instruction",
        "ld.u32 %0, [%1+x]~15~an offset"
      })
  void syntaxErrorsHaveAnOffset(String text, int offset, String message) {
    assertThatThrownBy(() -> PtxParser.template(text))
        .isInstanceOfSatisfying(PtxException.class, e -> assertThat(e.offset()).isEqualTo(offset))
        .hasMessageContaining(message);
  }
}
