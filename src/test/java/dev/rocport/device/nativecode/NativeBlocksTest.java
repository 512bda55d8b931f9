package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.device.CompiledKernels;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.RandomWaves;
import dev.rocport.device.wave.RandomWaves.Outcome;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Native code, entered at every place where it can be, leaves a wave as the interpreter does: its
 * registers, where it stands, what it has counted, memory, and the fault where there is one.
 */
@Tag("toolchain")
final class NativeBlocksTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final List<String> SAMPLE =
      List.of("hip-runtime/bench/kernels.hip", "src/test/kernels/float_exact.hip");

  /** Sources for waves of 32 lanes. */
  private static final List<String> NARROW =
      List.of(
          "src/test/kernels/sort_bitonic.hip",
          "src/test/kernels/half_type.hip",
          "src/test/kernels/local_arrays.hip",
          "src/test/kernels/atomics_lds.hip",
          "src/test/kernels/wide_integers.hip");

  @TempDir private Path folder;

  /** Instructions that a wave may run: some loops go round, none for long. */
  private static final int BUDGET = 300;

  /** Each source for the next target; in the full profile the sample for both, some at -O0, too. */
  static Stream<Arguments> cases() throws Exception {
    List<Arguments> cases = new ArrayList<>();
    List<Target> all = Target.withLanes(64);
    List<Target> usual = CompiledKernels.targets().toList();
    int number = 0;
    for (String source : sources()) {
      List<Target> targets = isForAll(source) ? all : usual;
      for (Target target : targets) {
        boolean own = target == targets.get(number % targets.size());
        if (own || (TestProfile.isFull() && SAMPLE.contains(source))) {
          cases.add(Arguments.of(source, target, "-O3"));
        }
        if (own && TestProfile.isFull() && number % 5 == 0) {
          cases.add(Arguments.of(source, target, "-O0"));
        }
      }
      number++;
    }
    List<String> narrow = TestProfile.isFull() ? NARROW : NARROW.subList(0, 1);
    narrow.forEach(source -> cases.add(Arguments.of(source, Target.GFX1100, "-O3")));
    if (TestProfile.isFull()) {
      NARROW.forEach(source -> cases.add(Arguments.of(source, Target.GFX1201, "-O3")));
    }
    return cases.stream();
  }

  /** rocPRIM of HIP 6.4 refuses gfx950. */
  private static boolean isForAll(String source) {
    return !source.matches(".*/(hipcub|rocthrust)[^/]*");
  }

  private static List<String> sources() throws Exception {
    if (!TestProfile.isFull()) {
      return SAMPLE;
    }
    try (Stream<Path> all = Files.list(HOME.resolve("src/test/kernels"))) {
      TreeSet<String> sources = new TreeSet<>(SAMPLE);
      all.filter(p -> p.toString().endsWith(".hip"))
          .filter(NativeBlocksTest::isForAllTargets)
          .forEach(p -> sources.add(HOME.relativize(p).toString()));
      return List.copyOf(sources);
    }
  }

  private static boolean isForAllTargets(Path source) {
    try {
      return !Files.readString(source).contains("// targets: ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nativeCodeDoesWhatTheInterpreterDoes(String source, Target target, String level)
      throws Exception {
    int checked = check(HOME.resolve(source), target, level);
    if (SAMPLE.contains(source)
        || NARROW.contains(source)) { // some of the others call or stop at once
      assertThat(checked).isGreaterThan(1000);
    }
  }

  /** All matrix instructions of a target, from registers that hold anything. */
  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void matrixInstructionsDoWhatTheInterpreterDoes(Target target) throws Exception {
    List<Opcode> opcodes =
        Decoder.of(target).opcodes().stream().filter(o -> o.name().startsWith("v_mfma_")).toList();
    StringBuilder text =
        new StringBuilder("#include <hip/hip_runtime.h>\n__global__ void all() {\n");
    for (Opcode o : opcodes) {
      int at = 64;
      List<String> registers = new ArrayList<>();
      for (Opcode.Slot slot : o.slots()) {
        int dwords = slot.type().dwords();
        registers.add(dwords == 1 ? "v" + at : "v[%d:%d]".formatted(at, at + dwords - 1));
        at = registers.size() == 1 ? 0 : at + dwords + dwords % 2;
      }
      text.append(
          "  asm volatile(\"%s %s\");\n".formatted(o.mnemonic(), String.join(", ", registers)));
    }
    Path source = Files.writeString(folder.resolve("matrices.hip"), text.append("}\n"));
    assertThat(check(source, target, "-O3")).isGreaterThan(4 * opcodes.size());
  }

  private static int check(Path source, Target target, String level) throws Exception {
    TestToolchain.since("6.4");
    List<String> usual = CompiledKernels.targets().map(Target::arch).toList();
    boolean own = !source.startsWith(HOME) || !usual.contains(target.arch());
    List<String> targets = own ? List.of(target.arch()) : usual;
    Toolchain toolchain = TestToolchain.of(target.arch());
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(targets));
    arguments.addAll(List.of("--cuda-device-only", "-w", "-std=c++17", level));
    byte[] bundle = Files.readAllBytes(TestCompiler.compile(toolchain, source, arguments).made());
    CodeObject object = CodeObject.read(FatBinary.select(bundle, target).orElseThrow());
    int checked = 0;
    for (HostVectors vectors :
        TestProfile.isFull() ? HostVectors.all() : List.of(HostVectors.here())) {
      checked += check(object, target, vectors);
    }
    return checked;
  }

  private static int check(CodeObject object, Target target, HostVectors vectors) throws Exception {
    HostCompiler compiler =
        new HostCompiler(TestToolchain.get().clang(), vectors, Duration.ofMinutes(10));
    int checked = 0;
    try (RandomWaves waves = new RandomWaves(object, target)) {
      for (KernelInfo kernel : object.kernels()) {
        int start = (int) (kernel.entry() - object.text().address() >> 2);
        Region region = Region.of(waves.code(), start, true);
        LoadedFunction function = LoadedFunction.of(region, compiler);
        for (int e = 0; e < function.entries().places().size(); e++) {
          checked += check(waves, function.block(e), function.entries().places().get(e));
        }
      }
    }
    return checked;
  }

  /** Returns how many instructions ran as native code. */
  private static int check(RandomWaves waves, NativeBlock block, int entry) {
    int ran = 0;
    for (int i = 0; i < RandomWaves.EXECS.size(); i++) {
      long seed = 100L * entry + i;
      long exec = RandomWaves.EXECS.get(i);
      Outcome one =
          waves.run(
              entry,
              seed,
              exec,
              w -> {
                if (block.serves(w)) {
                  block.run(w, BUDGET);
                }
              });
      int instructions = (int) one.wave().instructions;
      Outcome other = waves.run(entry, seed, exec, w -> w.run(instructions));
      one.requireSame(
          other, "entry %d, exec %x, %d instructions".formatted(entry, exec, instructions));
      ran += instructions;
    }
    return ran;
  }
}
