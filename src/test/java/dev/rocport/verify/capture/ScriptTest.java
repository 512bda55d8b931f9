package dev.rocport.verify.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the plan of a graph to the calls of its replay. */
class ScriptTest {
  private static final String KERNEL =
      """
      {"launch": "triton_poi_fused_add_0", "candidates": [
        {"code": "kernels/a.hsaco", "source": "kernels/a.py", "kernel": "k", "shared": 0,
         "threads": 64, "grid": [2, 1, 1], "args": [
          {"name": "in_ptr0", "type": "*fp32",
           "value": {"buffer": 0, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [3, 1]}},
          {"name": "out_ptr0", "type": "*fp32", "written": true,
           "value": {"buffer": 1, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [1, 2]}},
          {"name": "xnumel", "type": "i32", "value": 6}]}%s]}
      """;
  private static final String OTHER =
      """
      , {"code": "kernels/b.hsaco", "source": "kernels/a.py", "kernel": "k", "shared": 512,
         "threads": 128, "grid": [1, 1, 1], "args": [
          {"name": "out_ptr0", "type": "*fp32", "written": true,
           "value": {"buffer": 1, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [1, 2]}},
          {"name": "scale", "type": "fp32", "value": {"float": "inf"}},
          {"name": "nothing", "type": "*i8", "value": null}]}
      """;
  private static final String PRODUCT =
      """
      {"call": "aten::addmm.out", "options": {"beta": 1, "alpha": 2}, "args": [
        {"buffer": 2, "offset": 0, "dtype": "F32", "size": [4], "stride": [1]},
        {"buffer": 0, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [3, 1]},
        {"buffer": 3, "offset": 0, "dtype": "F32", "size": [3, 4], "stride": [1, 3]}],
       "results": [{"buffer": 1, "offset": 0, "dtype": "F32", "size": [2, 4], "stride": [4, 1]}]}
      """;

  @TempDir Path folder;

  private Plan plan(String steps) throws IOException {
    Path file = folder.resolve("plan.json");
    Files.writeString(
        file,
        """
        {"graph": "000-inference", "target": "gfx942", "buffers": [24, 32, 16, 48], "symmetric": [3],
         "inputs": [{"buffer": 0, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [3, 1],
                     "data": "x"}],
         "steps": [%s], "outputs": [
          {"buffer": 1, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [3, 1]}, null],
         "mutated": [{"buffer": 0, "offset": 0, "dtype": "F32", "size": [2, 3],
                      "stride": [3, 1], "input": 0}]}
        """
            .formatted(steps));
    return PlanReader.read(file);
  }

  private Script script(Plan plan, TensorFile given) throws Exception {
    Capture capture = new Capture(folder, folder, List.of(), Collections.emptySortedMap());
    return Script.of(capture, plan, file("x", 6), given, plan.groups());
  }

  private static TensorFile file(String name, int count) {
    SortedMap<String, Tensor> tensors = new TreeMap<>();
    if (!name.isEmpty()) {
      tensors.put(
          name,
          new Tensor(
              name,
              ElementType.F32,
              List.of((long) count),
              MemorySegment.ofArray(new byte[4 * count])));
    }
    return new TensorFile(new TreeMap<>(), tensors);
  }

  private String text(String steps) throws Exception {
    return script(plan(steps), file("", 0)).text().replace('\t', ' ');
  }

  @Test
  void launchHasArgumentsAndItsResultIsSaved() throws Exception {
    assertThat(text(KERNEL.formatted("")))
        .contains("buffer 1 32\n", "load 0 0 0 24\n")
        .contains("launch 0 k 0 2 1 1 64 p:0:0 p:1:0 b:4:6 n n\n" + "save 4 2 2 3 1 0 4 8\n");
  }

  @Test
  void otherConfigurationsRunFirstAndAreUndone() throws Exception {
    String text = text(KERNEL.formatted(OTHER));
    assertThat(text)
        .containsSubsequence(
            "hold 1\n",
            "launch 0 k 512 1 1 1 128 p:1:0 b:4:7f800000 n n n\n",
            "save 4 2 2 3 1 0 4 8\n",
            "back 1\n",
            "launch 1 k 0 2 1 1 64",
            "save 4 2 2 3 1 0 4 8\n");
  }

  @Test
  void resultsAreNamedByStepAndConfiguration() throws Exception {
    Script script = script(plan(KERNEL.formatted(OTHER)), file("", 0));
    assertThat(script.tensors(new byte[4 * 24]).keySet())
        .containsExactly("in000", "out000", "s000 out_ptr0", "s000 out_ptr0 #1");
    assertThatThrownBy(() -> script.tensors(new byte[95]))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("too little");
    assertThatThrownBy(() -> script.tensors(new byte[97])).hasMessageContaining("too much");
  }

  @Test
  void productIsTransposedForColumnMajorMatrices() throws Exception {
    // The bias of four elements is repeated for both rows; the right matrix is stored by columns.
    assertThat(text(PRODUCT))
        .contains("copy 4 2 2 4 2 0 0 4 1 0 16 4\n")
        .contains("gemm F32 1 4 2 3 2.0 1.0 3 0 t 3 0 0 0 n 3 0 1 0 4 8\n");
  }

  @Test
  void operatorWithoutCounterpartNeedsItsRecordedResult() throws Exception {
    String step =
        """
        {"call": "aten::topk", "args": [], "options": {}, "results": [
          {"buffer": 1, "offset": 0, "dtype": "F32", "size": [2, 2], "stride": [1, 2]}]}
        """;
    Plan plan = plan(step);
    assertThatThrownBy(() -> script(plan, file("", 0)))
        .isInstanceOf(UnknownOperatorException.class)
        .hasMessageContaining("aten::topk");
    Script given = script(plan, file("s000 result0", 4));
    assertThat(given.taken()).containsExactly("aten::topk");
    assertThat(given.text().replace('\t', ' '))
        .contains("buffer 4 16\nload 4 0 24 16\ncopy 4 2 2 2 4 0 8 4 1 0 4 8\n");
    assertThatThrownBy(() -> script(plan, file("s000 result0", 5)))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("do not match");
  }

  @Test
  void plansThatLeadOutOfABufferOrFolderAreRefused() {
    String step = KERNEL.formatted("");
    for (String[] wrong :
        new String[][] {
          {"\"buffer\": 0, \"offset\": 0", "\"buffer\": 0, \"offset\": 4", "leads out of buffer 0"},
          {"\"buffer\": 1, \"offset\": 0", "\"buffer\": 9, \"offset\": 0", "must be 0 to 3"},
          {"[3, 1]", "[4611686018427387904, 1]", "must be 0 to"},
          {"kernels/a.hsaco", "../a.hsaco", "not a path within the capture"},
          {"\"grid\": [2, 1, 1]", "\"grid\": [2, 1]", "expected three numbers"},
          {"\"type\": \"i32\"", "\"type\": \"u7\"", "unknown type 'u7'"},
          {"\"kernel\": \"k\"", "\"kernel\": \"k\\nload\"", "expected a string"},
          {"\"F32\"", "\"F33\"", "unknown type"},
          {"\"written\": true", "\"written\": false", "the kernel writes no tensor"},
          {"\"threads\": 64", "\"threads\": 0", "must be 1 to 1024"}
        }) {
      assertThatThrownBy(() -> plan(step.replace(wrong[0], wrong[1])))
          .describedAs(wrong[1])
          .isInstanceOf(InvalidFileException.class)
          .hasMessageContaining(wrong[2]);
    }
  }

  @Test
  void captureOfAnotherFormatIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve(Capture.FILE), "{\"format\": 2}");
    assertThatThrownBy(() -> Capture.read(file, folder)).hasMessageContaining("has format 2");
    Files.writeString(file, "{");
    assertThatThrownBy(() -> Capture.read(file, folder)).hasMessageContaining("not valid JSON");
  }

  private static final String COLLECTIVE =
      """
      {"collective": "%s", "operator": "symm_mem::o", "reduction": "%s", "root": 1,
       "operand": {"buffer": %d, "offset": 0, "dtype": "F32", "size": [2, 3], "stride": [%s]},
       "result": {"buffer": 1, "offset": 8, "dtype": "F32", "size": [%s, 3], "stride": [3, 1]}}
      """;

  @Test
  void collectiveReadsSymmetricMemoryInPlace() throws Exception {
    String text = text(COLLECTIVE.formatted("all_reduce", "sum", 3, "3, 1", "2"));
    assertThat(text)
        .contains("buffer 2 16\nsymmetric 3 48\n")
        .containsSubsequence(
            "symmetric 4 24\n",
            "all_reduce F32 sum 6 3 0 4 0\n",
            "copy 4 2 2 3 4 0 12 4 1 8 12 4\n");
  }

  @Test
  void operandOutsideSymmetricMemoryIsCopiedThere() throws Exception {
    assertThat(text(COLLECTIVE.formatted("reduce_scatter", "avg", 0, "3, 1", "1")))
        .containsSubsequence(
            "symmetric 4 24\n",
            "copy 4 2 2 3 0 0 12 4 4 0 12 4\n",
            "symmetric 5 24\n",
            "reduce_scatter F32 avg 3 4 0 5 0\n");
    assertThat(text(COLLECTIVE.formatted("broadcast", "", 0, "3, 1", "2")))
        .contains("broadcast 24 1 4 0 5 0\n");
  }

  @Test
  void operandWithGapsIsCopied() throws Exception {
    assertThat(text(COLLECTIVE.formatted("all_gather", "", 3, "1, 4", "2")))
        .containsSubsequence("copy 4 2 2 3 3 0 4 16 4 0 12 4\n", "all_gather 24 4 0 5 0\n");
  }

  @Test
  void groupOfSomeRanksIsATeam() throws Exception {
    String step = COLLECTIVE.formatted("all_to_all", "", 3, "3, 1", "2");
    String text = text(step.replace("\"root\": 1,", "\"root\": 0, \"ranks\": [1, 3, 5],"));
    assertThat(text).startsWith("team 0 1 2 3\n").contains("all_to_all 24 3 0 4 0 0\n");
    assertThatThrownBy(
            () -> plan(step.replace("\"root\": 1,", "\"root\": 0, \"ranks\": [1, 3, 4],")))
        .hasMessageContaining("ranks at equal distances");
  }

  @Test
  void valueThatTheHostReadsMustBeTheRecordedOne() throws Exception {
    String step =
        """
        {"read": {"buffer": 2, "offset": 4, "dtype": "%s", "size": [], "stride": []},
         "value": %s}
        """;
    assertThat(text(step.formatted("BOOL", "true"))).contains("expect 1 2 4 1\n");
    assertThat(text(step.formatted("F32", "-0.5"))).contains("expect 4 2 4 bf000000\n");
    assertThat(text(step.formatted("I64", "-1"))).contains("expect 8 2 4 ffffffffffffffff\n");
    assertThatThrownBy(() -> plan(step.formatted("F16", "1")))
        .isInstanceOf(InvalidFileException.class);
  }

  @Test
  void ranksMustMakeTheSameCollectives() throws Exception {
    String first = COLLECTIVE.formatted("all_reduce", "sum", 3, "3, 1", "2");
    Script script = script(plan(first), file("", 0));
    assertThat(script.shared())
        .isEqualTo(script(plan(first), file("", 0)).shared())
        .isNotEqualTo(script(plan(first.replace("sum", "max")), file("", 0)).shared());
  }

  @Test
  void collectiveThatMakesNoSenseIsRejected() {
    for (String step :
        List.of(
            COLLECTIVE.formatted("scan", "sum", 3, "3, 1", "2"),
            COLLECTIVE.formatted("all_reduce", "", 3, "3, 1", "2"),
            COLLECTIVE.formatted("broadcast", "sum", 3, "3, 1", "2"),
            COLLECTIVE.formatted("all_reduce", "sum", 3, "3, 1", "1"),
            COLLECTIVE.formatted("all_gather", "", 3, "3, 1", "1"))) {
      assertThatThrownBy(() -> plan(step)).isInstanceOf(InvalidFileException.class);
    }
  }

  @Test
  void planOfATemplateThatIsNotThereIsMissed() throws IOException {
    Path plans = Files.createDirectories(folder.resolve("plans/gfx942"));
    String failed = "{\"graph\": \"%s\", \"target\": \"gfx942\", \"failed\": \"no\"%s}";
    Files.writeString(plans.resolve("a.json"), failed.formatted("a", ", \"choices\": 3"));
    Files.writeString(plans.resolve("a.choice1.json"), failed.formatted("a.choice1", ""));
    Path file = folder.resolve(Capture.FILE);
    Files.writeString(file, "{\"format\": 1, \"graphs\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}");
    assertThat(Capture.read(file, folder).getFirst().missing("gfx942"))
        .containsExactly("b", "a.choice2");
  }
}
