package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Operators of a program whose results compiled functions pass to collectives. */
class SymmetricResultsTest {
  private static final String ALLOCATES =
      """
      import torch
      import torch.distributed as dist

      lib = torch.library.Library("mine", "DEF")
      lib.define("scaled(Tensor x, float s) -> Tensor")


      def scaled(x, s):
          y = torch.empty_like(x)
          kernel[(1,)](x, y, s)
          return y


      lib.impl("scaled", scaled, "CUDA")
      """;

  private static final String COMPUTES =
      ALLOCATES.replace("y = torch.empty_like(x)", "y = x * s").replace("kernel[(1,)]", "check");

  private static final String USES =
      """
      import torch
      from . import ops


      @torch.compile
      def reduce(x, group):
          y = torch.ops.mine.scaled(x, 0.5)
          return torch.ops.symm_mem.%s(y, "sum", group)
      """;

  private static Changes port(String path, Map<String, String> files) {
    Map<String, byte[]> all = new TreeMap<>();
    files.forEach((name, text) -> all.put(name, text.getBytes(StandardCharsets.UTF_8)));
    PythonProject project = PythonProject.of(all.keySet());
    all.forEach(project::note);
    project.link(name -> Objects.requireNonNull(all.get(name)));
    return new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT)
        .port(new SourceFile(path, Objects.requireNonNull(all.get(path))), project);
  }

  private static Map<String, String> files(String operator, String collective) {
    return new TreeMap<>(
        Map.of(
            "p/__init__.py", "", "p/ops.py", operator, "p/layers.py", USES.formatted(collective)));
  }

  private static String ported(Map<String, String> files) {
    Changes changes = port("p/ops.py", files);
    SourceFile original = SourceFile.of("p/ops.py", files.getOrDefault("p/ops.py", ""));
    SourceFile after = new SourceFile("p/ops.py", changes.edits().apply(original.bytes()));
    assertThat(PythonPorter.failure(original, after)).isEmpty();
    String text = new String(after.bytes(), StandardCharsets.UTF_8);
    files.put("p/ops.py", text);
    assertThat(port("p/ops.py", files).counts()).describedAs("a second port").isEmpty();
    return text;
  }

  @Test
  void resultThatAnotherFilePassesOnIsAllocatedByInductor() {
    Map<String, String> files = files(ALLOCATES, "one_shot_all_reduce");
    assertThat(port("p/layers.py", files).findings())
        .anyMatch(f -> f.message().contains("the port gives mine.scaled an out variant"));
    assertThat(ported(files))
        .contains("from ._rocm import is_rocm, symm_mem_out_variant, symm_mem_result")
        .contains(
            "y = (symm_mem_result(\"mine::scaled\", lambda: torch.empty_like(x)) if is_rocm else"
                + " torch.empty_like(x))")
        .endsWith("if is_rocm:\n    symm_mem_out_variant(\"mine::scaled\")\n");
    assertThat(port("p/layers.py", files).findings())
        .anyMatch(f -> f.message().contains("the port gives mine.scaled an out variant"));
  }

  @Test
  void computedResultIsLeftToTheCopyOfInductor() {
    Map<String, String> files = files(COMPUTES, "one_shot_all_reduce");
    assertThat(ported(files)).isEqualTo(COMPUTES);
    assertThat(port("p/layers.py", files).findings())
        .anyMatch(f -> f.message().contains("an additional kernel copies it"));
  }

  @Test
  void graphThatEndsBeforeTheCollectiveNeedsThePool() {
    Map<String, String> files = files(ALLOCATES, "two_shot_all_reduce_");
    assertThat(ported(files))
        .contains("lib.impl(\"scaled\", (symm_mem_pool(scaled) if is_rocm else scaled), \"CUDA\")")
        .doesNotContain("symm_mem_out_variant");
    assertThat(port("p/layers.py", files).findings())
        .anyMatch(f -> f.message().contains("with the memory pool of symmetric memory"));
  }

  @Test
  void registeredCollectiveGetsAnOutVariantThatCopies() {
    Map<String, String> files =
        files(
            COMPUTES
                + """


                @torch.library.custom_op("mine::summed", mutates_args=())
                def summed(x: torch.Tensor, group_name: str) -> torch.Tensor:
                    return torch.ops.symm_mem.one_shot_all_reduce(x, "sum", group_name)
                """,
            "one_shot_all_reduce");
    files.put(
        "p/layers.py", USES.replace("symm_mem.%s(y, \"sum\", group)", "mine.summed(y, group)"));
    assertThat(ported(files))
        .contains("symm_mem_out_variant(\"mine::scaled\")")
        .doesNotContain("symm_mem_result")
        .contains("_symm_mem_summed.register_symm_mem_args(\"summed\", [\"x\"])");
  }

  @Test
  void operatorThatSeveralFilesDefineIsLeftAlone() {
    Map<String, String> files = files(ALLOCATES, "one_shot_all_reduce");
    String declared =
        "import torch\nlib = torch.library.Library(\"mine\", \"DEF\")\n"
            + "lib.define(\"scaled(Tensor x, float s) -> Tensor\")\n";
    files.put("p/early.py", declared);
    files.put("p/layers.py", "from . import early\n" + USES.formatted("one_shot_all_reduce"));
    assertThat(port("p/early.py", files).counts()).isEmpty();
    assertThat(ported(files)).isEqualTo(ALLOCATES);
  }

  @Test
  void implementationThatTheProgramChoosesIsNotSeen() {
    String chosen =
        ALLOCATES.replace("\"scaled\", scaled,", "\"scaled\", fast if len(names) else scaled,");
    assertThat(ported(files(chosen, "two_shot_all_reduce_"))).isEqualTo(chosen);
  }

  @Test
  void libraryOfAnImportedModuleIsSeen() {
    String text =
        ALLOCATES
            .replace("import torch\n", "import torch\nfrom torch import library\n")
            .replace("torch.library.Library", "library.Library");
    assertThat(ported(files(text, "two_shot_all_reduce_"))).contains("symm_mem_pool(scaled)");
  }

  @Test
  void operatorIsRegisteredAndGetsAnOutVariant() {
    String both =
        """
        import torch


        @torch.library.custom_op("mine::scaled", mutates_args=())
        def scaled(x: torch.Tensor, group_name: str) -> torch.Tensor:
            return torch.ops.symm_mem.one_shot_all_reduce(x, "sum", group_name)
        """;
    Map<String, String> files = files(both, "");
    files.put(
        "p/layers.py",
        USES.replace("scaled(x, 0.5)", "scaled(torch.ops.mine.scaled(x, group), group)")
            .replace("return torch.ops.symm_mem.%s(y, \"sum\", group)", "return y"));
    assertThat(ported(files))
        .contains("register_symm_mem_args(\"scaled\", [\"x\"])")
        .contains("symm_mem_out_variant(\"mine::scaled\")");
  }

  @Test
  void operatorsAreLeftAloneIfTheirResultsAreNotSeenOrNotPassedOn() {
    assertThat(ported(files(ALLOCATES, "nothing"))).isEqualTo(ALLOCATES);
    String twice = ALLOCATES + "lib.impl(\"scaled\", other, \"CPU\")\n";
    assertThat(ported(files(twice, "one_shot_all_reduce"))).isEqualTo(twice);
    String given =
        ALLOCATES
            + "lib.define(\"scaled.out(Tensor x, float s, *, Tensor(a!) out) -> Tensor(a!)\")\n";
    assertThat(ported(files(given, "one_shot_all_reduce"))).isEqualTo(given);
    String dynamic = USES.replace("@torch.compile", "@torch.compile(dynamic=True)");
    Map<String, String> files = files(ALLOCATES, "");
    files.put("p/layers.py", dynamic.formatted("one_shot_all_reduce"));
    assertThat(ported(files)).isEqualTo(ALLOCATES);
  }
}
