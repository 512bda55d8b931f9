package dev.rocport.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class PtxCommandTest {
  @Test
  void anInstructionIsExplainedAndTranslated() {
    CommandLines ran = CommandLines.run("ptx", "ld.acquire.sys.global.u32 %r, [%rd];");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("Loads a value from global memory")
        .contains("exactness   exact")
        .contains("r = rocport::ptx::load_global<unsigned, ");
  }

  @Test
  void aLoopIsTranslatedAsAWhole() {
    CommandLines ran =
        CommandLines.run(
            "ptx", "{ w: ld.relaxed.gpu.u32 %r, [%a+4]; setp.ne.u32 %p, %r, %x; @%p bra w; }");
    assertThat(ran.out()).contains("do {").contains("p = r != x;").contains("} while (p);");
  }

  @Test
  void untranslatableInstructionsHaveAReason() {
    JsonNode root =
        new JsonMapper()
            .readTree(
                CommandLines.run("ptx", "--format", "json", "wgmma.fence.sync.aligned;").out());
    assertThat(root.path("translated").asBoolean()).isFalse();
    assertThat(root.path("why").asString()).isNotBlank();
    assertThat(root.path("instructions").path(0).path("effort").asString()).isEqualTo("redesign");
  }

  @Test
  void textThatIsNotPtxIsRejectedWithItsPlace() {
    CommandLines ran = CommandLines.run("ptx", "add.u32 %r, [%a;");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("not PTX, at character 16");
  }

  @Test
  void explainListsTheFormsOfAnInstruction() {
    CommandLines ran = CommandLines.run("explain", "ld.acquire");
    assertThat(ran.out())
        .contains("relaxed,acquire")
        .contains("rocport::ptx::")
        .doesNotContain("ld.weak");
    assertThat(CommandLines.run("explain", "%laneid").out()).contains("rocport::lane_id()");
  }

  @Test
  void theDocumentationHoldsEveryInstruction() throws IOException {
    assertThat(Files.readString(Path.of("docs/ptx.md")))
        .as("docs/ptx.md holds what 'rocport ptx --table' prints")
        .contains(PtxTableText.opcodes(RuleCatalog.builtIn()));
  }
}
