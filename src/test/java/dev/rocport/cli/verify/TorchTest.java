package dev.rocport.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rocport.TestProfile;
import dev.rocport.cli.CommandLines;
import dev.rocport.toolchain.TestToolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures of compiled PyTorch graphs, replayed on rocport's device. */
@Tag("device")
class TorchTest {
  private static final Path CAPTURES = Path.of("fixtures/torch");

  @TempDir Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  @Test
  void modelsGiveTheRecordedResults() {
    CommandLines run = verify(CAPTURES.resolve("moe-f32"), CAPTURES.resolve("resnet-bf16"));
    assertThat(run.code()).describedAs(run.out()).isZero();
    assertThat(run.out()).contains("000-inference", "kernels 9 in 16 configurations", "aten::topk");
  }

  @Test
  void ranksAreReplayedTogether() {
    CommandLines run = verify("000-inference", CAPTURES.resolve("parallel-f32-np2"));
    assertThat(run.code()).describedAs(run.out()).isZero();
    assertThat(run.out())
        .contains("collectives by rocSHMEM symm_mem::one_shot_all_reduce")
        .contains("tensors of rank 1 1 of 1 within tolerance")
        .contains("librocshmem");
  }

  @Test
  void groupsOfRanksAreTeams() {
    CommandLines run = verify(CAPTURES.resolve("mesh-f32-np4"));
    assertThat(run.code()).describedAs(run.out()).isZero();
    assertThat(run.out())
        .contains("_c10d_functional::all_to_all_single")
        .contains("tensors of rank 3 1 of 1 within tolerance");
  }

  @Test
  void laterCallsAndNestedGraphsAreReplayed() {
    CommandLines run = verify("000-inference", CAPTURES.resolve("nested"));
    assertThat(run.code()).describedAs(run.out()).isZero();
    assertThat(run.out()).contains("000-inference.call1");
  }

  @Test
  void knownDifferenceIsReportedWithItsReason() {
    CommandLines run = verify("022-forward", CAPTURES.resolve("gradients"));
    assertThat(run.code()).describedAs(run.out()).isZero();
    assertThat(run.out()).contains("[VERIFY-KNOWN]", "the kernel triton_per_fused_0");
  }

  @Test
  void differenceWithoutKnownReasonIsNarrowedDownToItsKernel() throws IOException {
    Path copy = Files.createDirectories(folder.resolve("gradients"));
    for (String name : List.of("capture.json", "capture.tar.xz")) {
      Files.copy(CAPTURES.resolve("gradients").resolve(name), copy.resolve(name));
    }
    CommandLines run = verify("022-forward", copy);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .contains("first difference at the kernel triton_per_fused_0", "[VERIFY-TENSOR]");
    Files.writeString(
        copy.resolve("known.tsv"),
        "graph\ttarget\ttensors\treason\n"
            + "021-backward\t*\tout000\tnone\n"
            + "022-forward\t*\tout000\tno\n");
    CommandLines other = verify("022-forward", copy);
    assertThat(other.code()).describedAs("others differ, too").isEqualTo(1);
    CommandLines none = verify("099-forward", copy);
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("has no graph 099-forward");
    String graphs = Files.readString(copy.resolve("capture.json"));
    Files.writeString(
        copy.resolve("capture.json"),
        graphs.replace("\"graphs\":[", "\"graphs\":[{\"name\":\"x\"},"));
    CommandLines incomplete = verify("000-forward", copy);
    assertThat(incomplete.code()).isEqualTo(1);
    assertThat(incomplete.out()).contains("x gfx942: has no plan: the capture is incomplete");
  }

  @Test
  void workFolderCanBeUsedAgain() {
    for (int i = 0; i < 2; i++) {
      CommandLines run =
          CommandLines.run(
              "verify",
              CAPTURES.resolve("moe-f32").toString(),
              "--target",
              "gfx942",
              "--runs",
              "1",
              "--work",
              folder.resolve("work").toString());
      assertThat(run.code()).describedAs(run.out() + run.err()).isZero();
    }
  }

  @Test
  void captureThatIsNotLoweredForATargetSaysSo() {
    CommandLines run =
        CommandLines.run(
            "verify", CAPTURES.resolve("losses").toString(), "--target", "gfx1100", "--runs", "1");
    assertThat(run.out()).contains("was not lowered for gfx1100, only for gfx90a, gfx942");
  }

  @Test
  void damagedArchiveIsAnError() throws IOException {
    Path copy = Files.createDirectories(folder.resolve("damaged"));
    Files.copy(CAPTURES.resolve("losses/capture.json"), copy.resolve("capture.json"));
    byte[] archive = Files.readAllBytes(CAPTURES.resolve("losses/capture.tar.xz"));
    archive[archive.length / 2] ^= 0x55;
    Files.write(copy.resolve("capture.tar.xz"), archive);
    CommandLines run = verify(copy);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("capture.tar.xz: a damaged xz archive");
  }

  @Test
  void captureNeedsAnInterpreterAScriptAndPyTorch() throws IOException {
    Path script = Files.writeString(folder.resolve("train.py"), "print(1)\n");
    String out = folder.resolve("out").toString();
    assertThat(capture(out, "bash", script.toString()).err()).contains("a Python interpreter");
    assertThat(capture(out, "python3", "absent.py").err()).contains("absent.py: no such script");
    assertThat(capture(out, "python3", "-W", "ignore", "absent.py").err())
        .contains("absent.py: no such script");
    assertThat(capture(out, "python3", "-m", "train").err()).contains("needs the file of a script");
    assertThat(capture(out, "python3", "-u").err()).contains("there is no script");
    Path python = Files.writeString(folder.resolve("python3"), "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
    CommandLines none = capture(out, python.toString(), script.toString());
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.err()).contains("has no PyTorch or no Triton");
    assertThat(folder.resolve("out")).doesNotExist();
    CommandLines full = capture(folder.toString(), "python3", script.toString());
    assertThat(full.code()).isEqualTo(2);
    assertThat(full.err()).contains("exists and is not an empty folder");
  }

  @Test
  void allCapturesGiveTheRecordedResults() {
    assumeTrue(TestProfile.isFull(), "takes minutes");
    CommandLines run = CommandLines.run("verify", CAPTURES.toString(), "--runs", "1");
    assertThat(run.code()).describedAs(run.out()).isZero();
  }

  private static CommandLines capture(String out, String... command) {
    List<String> line = new ArrayList<>(List.of("torch", "capture", "--out", out, "--"));
    line.addAll(List.of(command));
    return CommandLines.run(line.toArray(String[]::new));
  }

  private static CommandLines verify(String graph, Path capture) {
    return CommandLines.run(
        "verify", capture.toString(), "--run", graph, "--target", "gfx942", "--runs", "1");
  }

  private static CommandLines verify(Path... captures) {
    List<String> line = new ArrayList<>(List.of("verify"));
    for (Path capture : captures) {
      line.add(capture.toString());
    }
    line.addAll(List.of("--target", "gfx942", "--runs", "1"));
    return CommandLines.run(line.toArray(String[]::new));
  }
}
