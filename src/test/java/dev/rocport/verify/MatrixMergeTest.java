package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.matrix.Matrix;
import dev.rocport.verify.matrix.MatrixCell;
import dev.rocport.verify.matrix.MatrixFolder;
import dev.rocport.verify.matrix.MatrixResult;
import dev.rocport.verify.matrix.ResultKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of cells in folders, and the verification that they make. */
class MatrixMergeTest {
  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();

  private static final ResultKey KEY = new ResultKey("input", "settings", "platform");

  @TempDir Path folder;

  private MatrixFolder cells(String name) {
    return new MatrixFolder(folder.resolve(name));
  }

  private static MatrixCell cell(int seed) {
    return new MatrixCell("ring", "small", "gfx90a", seed, 2);
  }

  private static MatrixResult result(
      int seed, String status, String host, String device, String output) {
    VerifyInfo.Case row =
        new VerifyInfo.Case(
            "ring",
            "small",
            "gfx90a",
            2,
            status,
            Map.of("exit", "0"),
            List.of("libhipblas"),
            List.of(),
            "");
    VerifyInfo.Tensor tensor =
        new VerifyInfo.Tensor(
            "ring small gfx90a np 2",
            "x",
            "f32",
            "close",
            4,
            0,
            1,
            1,
            Map.of("1", 4L),
            Double.POSITIVE_INFINITY,
            "x[0]",
            0.5,
            "x[1]",
            Double.NaN,
            0.25,
            "f32",
            "");
    VerifyInfo.Cell check =
        new VerifyInfo.Cell("ring", "gfx90a", "k", "float", "add", 4, 1, 4, 0, 1, 0.5, 0.25);
    return new MatrixResult(
        cell(seed),
        "ring/ring",
        KEY,
        host,
        new TreeMap<>(Map.of("output", output, "tensor r.safetensors/x", output)),
        new VerifyInfo(device, "note", List.of(row), List.of(tensor), List.of(check), List.of()),
        List.of());
  }

  private static List<Finding> findings(Verification v) {
    List<Finding> all = new ArrayList<>();
    for (FileResult f : v.files()) {
      all.addAll(f.findings());
    }
    return all;
  }

  private static VerifyInfo.Case only(Verification v) {
    assertThat(v.info().cases()).hasSize(1);
    return v.info().cases().getFirst();
  }

  @Test
  void cellsOfOneRunAreOneCase() throws Exception {
    cells("a").put(result(0, "ok", "one", "emulated", "1"));
    cells("b").put(result(1, "ok", "two", "emulated", "1"));
    Verification v = MatrixMerge.of(List.of(cells("b"), cells("a")), CATALOG);
    assertThat(only(v).status()).isEqualTo("ok");
    assertThat(only(v).checks())
        .containsExactly(Map.entry("exit", "0"), Map.entry("order 1", "same"));
    assertThat(only(v).standIns()).containsExactly("libhipblas");
    MatrixResult original = result(0, "ok", "one", "emulated", "1");
    assertThat(v.info().tensors()).isEqualTo(original.info().tensors());
    assertThat(v.info().cells()).isEqualTo(original.info().cells());
    assertThat(v.info().places())
        .containsExactly(
            new VerifyInfo.Place("ring.small.gfx90a.np2.s0", "one", "emulated"),
            new VerifyInfo.Place("ring.small.gfx90a.np2.s1", "two", "emulated"));
    assertThat(v.info().device()).isEqualTo("emulated");
    assertThat(findings(v)).isEmpty();
  }

  @Test
  void anotherOutputInAnotherOrderIsAFinding() throws Exception {
    cells("a").put(result(0, "ok", "one", "emulated", "1"));
    cells("a").put(result(1, "ok", "one", "emulated", "2"));
    Verification v = MatrixMerge.of(List.of(cells("a")), CATALOG);
    assertThat(only(v).checks()).containsEntry("order 1", "differs");
    assertThat(findings(v)).hasSize(1);
    assertThat(findings(v).getFirst().rule()).isEqualTo(Problem.ORDER);
    assertThat(findings(v).getFirst().message())
        .isEqualTo("small gfx90a np 2: order 1: different output");
  }

  @Test
  void aFailedOrderFailsTheCase() throws Exception {
    cells("a").put(result(0, "ok", "one", "emulated", "1"));
    cells("a").put(result(1, "failed", "one", "emulated", "1"));
    assertThat(only(MatrixMerge.of(List.of(cells("a")), CATALOG)).status()).isEqualTo("failed");
  }

  @Test
  void theStatusOfTheLaterRunIsSaid() throws Exception {
    cells("a").put(result(0, "ok", "one", "emulated", "1"));
    cells("a").put(result(1, "failed", "one", "emulated", "1"));
    assertThat(only(MatrixMerge.of(List.of(cells("a")), CATALOG)).checks())
        .containsEntry("order 1", "fails");
    cells("b").put(result(0, "failed", "one", "emulated", "1"));
    cells("b").put(result(1, "ok", "one", "emulated", "1"));
    VerifyInfo.Case row = only(MatrixMerge.of(List.of(cells("b")), CATALOG));
    assertThat(row.status()).isEqualTo("failed");
    assertThat(row.checks()).containsEntry("order 1", "same");
  }

  @Test
  void hardwareAndTheDeviceAreTwoCases() throws Exception {
    cells("a").put(result(0, "ok", "one", "emulated", "1"));
    cells("b").put(result(0, "ok", "two", "hardware", "2"));
    Verification v = MatrixMerge.of(List.of(cells("a"), cells("b")), CATALOG);
    assertThat(v.info().cases()).hasSize(2);
    assertThat(v.info().device()).isEqualTo("mixed");
    assertThat(findings(v)).isEmpty();
  }

  @Test
  void missingCellsAreErrors() throws Exception {
    MatrixFolder a = cells("a");
    a.begin(new Matrix("/", List.of("ring"), List.of(cell(0), cell(1), cell(2))));
    a.put(result(0, "ok", "one", "emulated", "1"));
    a.fail(cell(1), "out of memory");
    Verification v = MatrixMerge.of(List.of(a), CATALOG);
    assertThat(v.info().byStatus()).containsEntry("ok", 1).containsEntry("not-run", 2);
    assertThat(findings(v)).extracting(Finding::rule).containsOnly(Problem.RUN);
    assertThat(findings(v))
        .extracting(Finding::message)
        .containsExactlyInAnyOrder(
            "ring.small.gfx90a.np2.s1: no result of this cell: out of memory",
            "ring.small.gfx90a.np2.s2: no result of this cell: it has not ended");
    a.put(result(1, "ok", "one", "emulated", "1"));
    assertThat(a.reason(cell(1))).isEmpty();
  }

  @Test
  void resultsOfOtherInputAreRefused() throws Exception {
    MatrixCell same = cell(1);
    MatrixCell otherRun = new MatrixCell("ring", "large", "gfx942", 0, 0);
    MatrixCell otherProgram = new MatrixCell("saxpy", "", "gfx90a", 0, 0);
    ResultKey input = new ResultKey("other", "settings", "platform");
    ResultKey settings = new ResultKey("other", "other", "platform");
    ResultKey platform = new ResultKey("other", "settings", "other");
    assertRefused("a", same, input, "emulated", "different sources or recordings");
    assertRefused("b", otherRun, input, "emulated", "different sources or recordings");
    assertRefused("c", otherProgram, settings, "hardware", "different options or versions");
    assertRefused("d", otherProgram, platform, "emulated", "different toolchains or libraries");
    assertThat(merge("e", otherProgram, input, "emulated").info().cases()).hasSize(2);
    assertThat(merge("f", same, platform, "hardware").info().cases()).hasSize(2);
    assertThatThrownBy(() -> MatrixMerge.of(List.of(cells("none")), CATALOG))
        .hasMessageContaining("contain no results");
  }

  private Verification merge(String name, MatrixCell cell, ResultKey key, String device)
      throws Exception {
    MatrixResult r = result(0, "ok", "two", device, "1");
    cells(name).put(result(0, "ok", "one", "emulated", "1"));
    cells(name)
        .put(new MatrixResult(cell, r.path(), key, r.host(), r.digests(), r.info(), r.findings()));
    return MatrixMerge.of(List.of(cells(name)), CATALOG);
  }

  private void assertRefused(
      String name, MatrixCell cell, ResultKey key, String device, String why) {
    assertThatThrownBy(() -> merge(name, cell, key, device)).hasMessageContaining(why);
  }

  @Test
  void resultsOfOtherInputOrBeforeAFailureAreDeleted() throws Exception {
    MatrixFolder a = cells("a");
    MatrixResult r = result(0, "ok", "one", "emulated", "1");
    a.put(r);
    assertThat(a.result(cell(0), KEY)).contains(r);
    assertThat(a.result(cell(0), new ResultKey("new", "settings", "platform"))).isEmpty();
    assertThat(a.results()).isEmpty();
    a.put(r);
    a.fail(cell(0), "no toolchain");
    assertThat(a.results()).isEmpty();
    assertThat(a.reason(cell(0))).contains("no toolchain");
  }

  @Test
  void aFolderHasOneMatrix() throws Exception {
    cells("a").begin(new Matrix("/", List.of("x"), List.of(cell(0))));
    cells("a").begin(new Matrix("/", List.of("x"), List.of(cell(0))));
    assertThatThrownBy(() -> cells("a").begin(new Matrix("/", List.of("y"), List.of(cell(0)))))
        .hasMessageContaining("other arguments");
    cells("a").require(new Matrix("/elsewhere", List.of("x"), List.of(cell(0))));
    assertThatThrownBy(
            () -> cells("a").require(new Matrix("/", List.of("x"), List.of(cell(0), cell(1)))))
        .hasMessageContaining("other arguments");
    cells("none").require(new Matrix("/", List.of("x"), List.of(cell(0))));
  }
}
