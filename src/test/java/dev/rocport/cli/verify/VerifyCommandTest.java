package dev.rocport.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Safetensors;
import dev.rocport.verify.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From a CUDA fixture to a verdict, on rocport's device. */
@Tag("device")
class VerifyCommandTest {
  @TempDir Path folder;

  @BeforeAll
  static void toolchain() throws Exception {
    TestToolchain.get();
  }

  /** A program that scales a tensor and checks itself, with a golden tensor made here. */
  private Path fixture() throws IOException {
    Path fixture = Files.createDirectories(folder.resolve("scale"));
    Files.writeString(
        fixture.resolve("scale.cu"),
        """
        #include <rocport_golden.h>
        #include <cstdio>
        namespace golden = rocport::golden;
        __global__ void scale(float* x, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) x[i] = 2.0f * x[i];
        }
        int main() {
          const int n = 100;
          float host[n], expected[n], *device;
          golden::fill(host, n, golden::Data::exact, 7);
          for (int i = 0; i < n; i++) expected[i] = 2.0f * host[i];
          cudaMalloc(&device, sizeof host);
          cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
          scale<<<(n + 63) / 64, 64>>>(device, n);
          golden::save("x", device, {n});
          cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
          golden::Check c;
          c.kernel = "scale"; c.type = "float"; c.op = "mul"; c.count = n;
          c.tally(host, expected, n);
          golden::check(c);
          std::puts("done");
        }
        """);
    Files.writeString(
        fixture.resolve("fixture.yaml"),
        """
        build: plain
        expect: golden/stdout.txt
        verify: {tensors: true, checks: true, faults: faults.yaml}
        """);
    Files.writeString(
        fixture.resolve("faults.yaml"),
        """
        - name: wrong factor
          file: scale.cu
          find: "x[i] = 2.0f"
          replace: "x[i] = 3.0f"
        - name: one thread more than needed
          file: scale.cu
          find: "(n + 63) / 64, 64"
          replace: "(n + 63) / 64 + 1, 64"
        """);
    ByteBuffer data = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 100; i++) {
      data.putFloat(2f * (Long.remainderUnsigned(hash(7, i), 5) - 2));
    }
    Path golden = Files.createDirectories(fixture.resolve("golden/default"));
    Files.writeString(fixture.resolve("golden/stdout.txt"), "done\n");
    write(golden.resolve("scale.safetensors"), data);
    return fixture;
  }

  /** The generator that {@code rocport_golden.h} documents. */
  private static long hash(long seed, long i) {
    long z = seed + (i + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private static void write(Path file, ByteBuffer data) throws IOException {
    Tensor x = new Tensor("x", ElementType.F32, List.of(100L), MemorySegment.ofArray(data.array()));
    try (var out = Files.newOutputStream(file)) {
      Safetensors.write(new TreeMap<>(), List.of(x), out);
    }
  }

  @Test
  void aRightPortPassesAndFaultsAreCaughtOrNot() throws IOException {
    Path fixture = fixture();
    CommandLines r =
        CommandLines.run(
            "verify",
            fixture.toString(),
            "--target",
            "gfx90a",
            "--device",
            "emulated",
            "--mutate",
            "--format",
            "json",
            "--report",
            folder.resolve("report").toString());
    JsonNode json = JsonMapper.shared().readTree(r.out());
    JsonNode one = json.at("/verify/cases/0");
    assertThat(one.path("status").asString("")).as(r.err() + r.out()).isEqualTo("ok");
    assertThat(one.at("/checks/tensors").asString()).isEqualTo("1 of 1");
    assertThat(one.at("/checks/stdout").asString()).isEqualTo("same");
    assertThat(one.at("/checks/order 1").asString()).isEqualTo("same");
    assertThat(json.at("/verify/tensors/0/outcome").asString()).isEqualTo("identical");
    assertThat(json.at("/verify/cells/0/checks").asInt()).isEqualTo(100);
    assertThat(json.at("/verify/note").asString()).contains("untested on AMD silicon");
    assertThat(json.at("/verify/faults/0/caught").asBoolean()).isTrue();
    assertThat(json.at("/verify/faults/1/caught").asBoolean()).isFalse();
    // The fault that changes nothing is not caught: that is an error.
    assertThat(r.code()).isEqualTo(1);
    assertThat(folder.resolve("report/report.txt")).content().contains("1 of 2 caught");

    // Another recording: the same program fails.
    Files.writeString(fixture.resolve("golden/stdout.txt"), "finished\n");
    write(
        fixture.resolve("golden/default/scale.safetensors"),
        ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN).putFloat(40, 1));
    CommandLines wrong =
        CommandLines.run("verify", fixture.toString(), "--target", "gfx90a", "--runs", "1");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.out())
        .contains("line 1: 'done', expected 'finished' [VERIFY-OUTPUT]")
        .contains("elements outside exact", "[VERIFY-TENSOR]", "1 failed");
  }

  @Test
  void instructionsAreRunOneByOne() {
    String some =
        "v_add_(u32|f64)|v_fma_f32|v_cmp_lt_i32|s_(add|mul)_.*32|s_cmp_gt_u32|ds_add_f32|global_atomic_add";
    CommandLines r =
        CommandLines.run(
            "verify", "--calibrate", some, "--target", "gfx90a", "--device", "emulated");
    assertThat(r.code()).as(r.err() + r.out()).isZero();
    assertThat(r.out())
        .contains("instructions 12 of 12", "self-test: the rocport device against itself");
    assertThat(CommandLines.run("verify", "--calibrate", "v_(").code()).isEqualTo(2);
  }

  @Test
  void whatCannotBeUsedIsCode2AndNoHardwareIsCode3() throws IOException {
    Path fixture = fixture();
    assertThat(CommandLines.run("verify", folder.resolve("nowhere").toString()).code())
        .isEqualTo(2);
    assertThat(CommandLines.run("verify", fixture.toString(), "--profile", "none").code())
        .isEqualTo(2);
    assertThat(CommandLines.run("verify", fixture.toString(), "--runs", "0").code()).isEqualTo(2);
    if (!Files.exists(Path.of("/dev/kfd"))) {
      CommandLines hardware =
          CommandLines.run("verify", fixture.toString(), "--device", "hardware");
      assertThat(hardware.code()).isEqualTo(3);
      assertThat(hardware.err()).contains("has no AMD GPU");
    }
    Files.writeString(fixture.resolve("fixture.yaml"), "verify: {runs: 3}");
    CommandLines bad = CommandLines.run("verify", fixture.toString());
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).contains("verify.runs: is not a list of runs");
  }

  @Test
  void aRunThatPrintsWithoutEndOrHasNoProgramFailsAndTheOthersGoOn() throws IOException {
    Path fixture = Files.createDirectories(folder.resolve("talk"));
    Files.writeString(
        fixture.resolve("talk.cu"),
        """
        #include <cstdio>
        int main(int n, char** words) {
          do std::puts("so it goes"); while (n > 1);
        }
        """);
    Files.createDirectories(fixture.resolve("golden"));
    Files.writeString(fixture.resolve("golden/once.txt"), "so it goes\n");
    Files.writeString(
        fixture.resolve("fixture.yaml"),
        """
        build: plain
        verify:
          runs:
            - {name: endless, args: [on]}
            - {name: nothing, program: chat}
            - {name: once, stdout: golden/once.txt}
        """);
    CommandLines r =
        CommandLines.run("verify", fixture.toString(), "--target", "gfx90a", "--runs", "1");
    assertThat(r.code()).as(r.err()).isEqualTo(1);
    assertThat(r.out())
        .contains("endless gfx90a: printed more than the limit of 64 MiB, and was stopped")
        .contains("nothing gfx90a: the build did not produce chat; it produced talk")
        .contains("1 ok", "2 failed");
  }

  @Test
  void aTreeWithoutSourcesIsNamed() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    CommandLines r = CommandLines.run("verify", empty.toString());
    assertThat(r.code()).isEqualTo(2);
    assertThat(r.err()).contains("rocport: empty: no source files to compile");
  }

  @Test
  void filesOfTensorsAreShownAndCompared() throws IOException {
    Path a = folder.resolve("a.safetensors");
    Path b = folder.resolve("b.safetensors");
    write(a, ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, 1));
    write(b, ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, 1.000001f));
    assertThat(CommandLines.run("golden", "show", a.toString()).out()).contains("F32 [100]");
    assertThat(
            CommandLines.run("golden", "compare", a.toString(), b.toString(), "--profile", "torch")
                .code())
        .isZero();
    CommandLines exact = CommandLines.run("golden", "compare", a.toString(), b.toString());
    assertThat(exact.code()).isEqualTo(1);
    assertThat(exact.out()).contains("tensor x: 1 of 100 elements outside exact");
    Files.write(b, new byte[] {1, 2, 3});
    CommandLines cut = CommandLines.run("golden", "compare", a.toString(), b.toString());
    assertThat(cut.code()).isEqualTo(2);
    assertThat(cut.err()).contains("b.safetensors: truncated");
  }

  /** NCCL over four GPUs: what ran on four H200 runs here, and says what it ran with. */
  @Test
  void ranksInThreadsAndProcessesDoWhatNcclDidWithAStandInThatIsNamed() {
    CommandLines r =
        CommandLines.run(
            "verify",
            "fixtures/nccl_ring",
            "--target",
            "gfx90a",
            "--device",
            "emulated",
            "--runs",
            "1",
            "--report",
            folder.toString());

    assertThat(r.code()).as(r.out() + r.err()).isZero();
    assertThat(r.out())
        .contains("4 ok")
        .contains("  stand-ins  librccl: from rocport; the runs prove nothing about the ROCm");
    assertThat(folder.resolve("report.json"))
        .content()
        .containsIgnoringWhitespaces("\"standIns\" : [\"librccl\"]");
  }
}
