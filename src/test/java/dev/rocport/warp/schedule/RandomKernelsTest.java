package dev.rocport.warp.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.Choices;
import dev.rocport.TestProfile;
import dev.rocport.device.TestDevice;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Guards.Reach;
import dev.rocport.warp.uniformity.LaneClaims;
import dev.rocport.warp.uniformity.LaneProgram;
import dev.rocport.warp.uniformity.LaneProgram.Entry;
import dev.rocport.warp.uniformity.LaneProgram.Launch;
import dev.rocport.warp.uniformity.LaneProgram.Place;
import dev.rocport.warp.uniformity.UniformityAnalysis;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random kernels, compiled and run on the device: what the uniformity analysis and {@link Guards}
 * claim must hold for what the threads log. Sites that all threads are claimed to reach have a
 * barrier, so that a wrong claim is a deadlock, too. {@code -Drocport.random.kernels=10000} sets
 * the number of kernels, {@code -Drocport.random.first=3900} the first one.
 */
@Tag("device")
final class RandomKernelsTest {
  /** Kernels in a source file. */
  private static final int BATCH = 100;

  private static final int SECONDS = 300;

  private static final String HEAD =
      """
      #include <hip/hip_runtime.h>
      #include <cstdio>
      struct Entry { int place, value; };
      constexpr int LOG = %d, WIDTH = 128, BLOCKS = 4;
      // The first entry of a log holds the number of the others.
      __device__ void put(Entry* log, int site, const int* trips, int value) {
        int count = log[0].place;
        if (count == LOG) return;
        log[0].place = count + 1;
        log[count + 1] = {site | (trips[1] | trips[2] << 3 | trips[3] << 6) << 16, value};
      }
      #define use(x, site) put(log_, site, trips_, x)
      #define reach(site) put(log_, site, trips_, 0)
      #define meet(site) (reach(site), __syncthreads())
      #define enter(level) (trips_[level] = 0)
      #define trip(level) (trips_[level]++)
      #define leave(level) (trips_[level] = 0)
      """
          .formatted(LaneProgram.LOG);

  private static final String TAIL =
      """
      int main(int, char** argv) {
        static Entry logs[BLOCKS * WIDTH * (LOG + 1)];
        Entry* on;
        FILE* out = std::fopen(argv[1], "wb");
        if (hipMalloc(&on, sizeof logs) != hipSuccess || !out) return 1;
        for (auto kernel : kernels) {
          for (int last = 0; last < BLOCKS; last += BLOCKS - 1) {
            if (hipMemset(on, 0, sizeof logs) != hipSuccess) return 2;
            kernel<<<last + 1, WIDTH>>>(last ? 192 : 64, on);
            if (hipMemcpy(logs, on, sizeof logs, hipMemcpyDeviceToHost) != hipSuccess) return 3;
            std::fwrite(logs + last * WIDTH * (LOG + 1), sizeof logs / BLOCKS, 1, out);
          }
        }
        return std::fclose(out);
      }
      """;

  private record Kernel(LaneProgram program, LaneClaims claims, Map<Integer, Reach> reaches) {
    static Kernel of(Random random) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 20 + random.nextInt(120); i > 0; i--) {
        numbers.add(random.nextInt(1000));
      }
      LaneProgram program = new LaneProgram(new Choices(numbers));
      UniformityAnalysis analysis = LaneClaims.analysis(program.text());
      DeviceFunction kernel = analysis.code().functions().getFirst();
      Guards guards = new Guards(analysis);
      Map<Integer, Reach> reaches = new TreeMap<>();
      for (IASTFunctionCallExpression c : kernel.all(IASTFunctionCallExpression.class)) {
        if (Syntax.callee(c).equals("reach")) {
          int site = Integer.parseInt(Syntax.arguments(c)[0].getRawSignature());
          reaches.put(site, guards.reach(kernel, c));
        }
      }
      return new Kernel(program, LaneClaims.of(program.text()), reaches);
    }

    String source(int number) {
      String body = program.body();
      for (int site : reaches.keySet()) {
        if (claims.isReachedByAll(site)) {
          body = body.replace("reach(" + site + ");", "meet(" + site + ");");
        }
      }
      return "__global__ void k%d(int n, Entry* logs_) {\n".formatted(number)
          + "int trips_[4] = {};\n"
          + "Entry* log_ = logs_ + (blockIdx.x * WIDTH + threadIdx.x) * (LOG + 1);\n"
          + body
          + "}\n";
    }

    Logs interpreted() {
      List<List<List<Entry>>> launches = new ArrayList<>();
      for (Launch launch : LaneClaims.LAUNCHES) {
        List<List<Entry>> threads = new ArrayList<>();
        for (int t = 0; t < launch.width(); t++) {
          threads.add(program.run(launch, t));
        }
        launches.add(threads);
      }
      return new Logs(launches);
    }

    /** More threads reach a place than the guards allow. */
    List<String> crowded(List<List<Entry>> logs) {
      List<String> crowded = new ArrayList<>();
      Map<Place, Map<Integer, Integer>> counts = new HashMap<>();
      for (int t = 0; t < logs.size(); t++) {
        for (Entry e : logs.get(t)) {
          Reach reach = reaches.getOrDefault(e.place().site(), Reach.MANY);
          int group =
              switch (reach) {
                case ONE -> 0;
                case ONE_OF_64 -> t / 64;
                case ONE_OF_32 -> t / 32;
                case MANY -> t;
              };
          Map<Integer, Integer> here = counts.computeIfAbsent(e.place(), k -> new HashMap<>());
          if (here.merge(group, 1, Integer::sum) > 1) {
            crowded.add("%s: thread %s is not alone as %s".formatted(e.place(), t, reach));
          }
        }
      }
      return crowded;
    }
  }

  static List<Integer> batches() {
    int kernels = Integer.getInteger("rocport.random.kernels", TestProfile.isFull() ? 1000 : 100);
    List<Integer> batches = new ArrayList<>();
    int first = Integer.getInteger("rocport.random.first", 0) / BATCH;
    for (int b = first; b < first + (kernels + BATCH - 1) / BATCH; b++) {
      batches.add(b);
    }
    return batches;
  }

  @ParameterizedTest
  @MethodSource("batches")
  void threadsOfTheDeviceBearTheClaimsOut(int batch, @TempDir Path folder) throws Exception {
    Random random = new Random(202611L + batch);
    List<Kernel> kernels = new ArrayList<>();
    for (int k = 0; k < BATCH; k++) {
      kernels.add(Kernel.of(random));
    }
    String gpu = batch % 2 == 0 ? "gfx942" : "gfx90a";
    List<Logs> logs = logs(kernels, gpu, batch % 4 < 2 ? "-O1" : "-O3", folder);
    int miscompiled = 0;
    for (int k = 0; k < BATCH; k++) {
      Kernel kernel = kernels.get(k);
      Logs logged = logs.get(k);
      Logs interpreted = kernel.interpreted();
      if (!logged.equals(interpreted)) {
        // clang 19 computes some loop exits wrongly above -O0: docs/limits.md.
        Path again = Files.createDirectory(folder.resolve("again" + k));
        logged = logs(List.of(kernel), gpu, "-O0", again).getFirst();
        miscompiled++;
      }
      assertThat(logged).as(kernel.program().text()).isEqualTo(interpreted);
      for (List<List<Entry>> threads : logged.launches()) {
        assertThat(kernel.claims().broken(threads)).as(kernel.program().text()).isEmpty();
        assertThat(kernel.crowded(threads)).as(kernel.program().text()).isEmpty();
      }
    }
    assertThat(miscompiled).as("kernels of batch %d that differ above -O0", batch).isLessThan(3);
  }

  /**
   * What a kernel's threads log.
   *
   * @param launches for each launch and each of its threads, the entries in order
   */
  private record Logs(List<List<List<Entry>>> launches) {}

  private static List<Logs> logs(List<Kernel> kernels, String gpu, String level, Path folder)
      throws Exception {
    StringBuilder source = new StringBuilder(HEAD);
    for (int k = 0; k < kernels.size(); k++) {
      source.append(kernels.get(k).source(k));
    }
    source.append("void (*const kernels[])(int, Entry*) = {");
    for (int k = 0; k < kernels.size(); k++) {
      source.append("k").append(k).append(", ");
    }
    source.append("};\n").append(TAIL);
    Path file = Files.writeString(folder.resolve("random.hip"), source);
    Path program =
        TestCompiler.program(file, List.of(gpu), List.of("-std=c++17", level, "-fwrapv", "-w"));
    Path out = folder.resolve("logs");
    TestDevice.Run run =
        TestDevice.run(gpu, folder, SECONDS, List.of(program.toString(), out.toString()));
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(out)).order(ByteOrder.LITTLE_ENDIAN);
    List<Logs> logs = new ArrayList<>();
    for (int k = 0; k < kernels.size(); k++) {
      List<List<List<Entry>>> launches = new ArrayList<>();
      for (Launch launch : LaneClaims.LAUNCHES) {
        List<List<Entry>> threads = new ArrayList<>();
        for (int t = 0; t < launch.width(); t++) {
          threads.add(read(bytes));
        }
        launches.add(threads);
      }
      logs.add(new Logs(launches));
    }
    assertThat(bytes.hasRemaining()).isFalse();
    return logs;
  }

  private static List<Entry> read(ByteBuffer logs) {
    int end = logs.position() + 8 * (LaneProgram.LOG + 1);
    int count = logs.getInt();
    logs.getInt();
    List<Entry> log = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int place = logs.getInt();
      log.add(new Entry(new Place(place & 0xffff, place >>> 16), logs.getInt()));
    }
    logs.position(end);
    return log;
  }
}
