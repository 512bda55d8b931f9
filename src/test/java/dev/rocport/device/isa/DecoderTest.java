package dev.rocport.device.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.TestProfile;
import dev.rocport.cli.Main;
import dev.rocport.device.CompiledKernels;
import dev.rocport.device.isa.LlvmDisassembler.Line;
import dev.rocport.device.isa.LlvmDisassembler.Pair;
import dev.rocport.toolchain.TestCompiler;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What we decode and print is what LLVM's disassembler prints of the same bits. */
@Tag("toolchain")
final class DecoderTest {
  private static final boolean FULL = TestProfile.isFull();

  /**
   * What LLVM prints and yet is no instruction: registers that it marks as wrong itself, tuples of
   * vector registers that start at an odd one, tuples that reach over s101, null (of later GPUs),
   * lds_direct (of earlier ones), images (of graphics), and hardware values where only registers
   * can stand.
   */
  private static final Pattern NOT_THERE =
      Pattern.compile(
          "/\\*|; Warning|; Error|[va]\\[\\d*[13579]:|\\bnull\\b|lds_direct|s\\[\\d+:10[2-9]\\]"
              + "|v_cmpx?_\\w+_e64 src_|v_read(first)?lane_b32 .*src_"
              + "|v_(mfma|smfmac|accvgpr)_.* src_|s_swappc_b64 [^,]+, [^stvfxe]"
              + "|s_(swappc|setpc|rfe|movrels|cbranch_join)(_b32|_b64)? .*src_|^image_"
              + "|v_(cndmask|addc_co|subb_co|subbrev_co)_\\w+_e64 .*, src_\\w+"
              + "( clamp)?$");

  private static final Pattern FLAT_OFFSET = Pattern.compile("flat_.* offset:(\\d+).*");

  @TempDir static Path folder;

  /** The disassembler of the compiler for a target. */
  private static LlvmDisassembler llvm(Target target) throws Exception {
    return new LlvmDisassembler(TestToolchain.of(target.arch()), folder);
  }

  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void randomWordsOfEachOpcodeReadAsLlvmReadsThem(Target target) throws Exception {
    List<Opcode> opcodes =
        Decoder.of(target).opcodes().stream().filter(o -> !NewerLlvm.crashesOn(o)).toList();
    List<Pair> pairs = new RandomWords(20 + target.ordinal()).of(opcodes, FULL ? 300 : 12);
    int defined = compare(target, pairs, llvm(target).disassemble(target, pairs));
    assertThat(defined).as("defined words of " + pairs.size()).isGreaterThan(pairs.size() / 4);
  }

  /** Conversions that let LLVM end with a fault unless their sources are vector registers. */
  @Test
  void conversionsOfVectorRegisters() throws Exception {
    Random random = new Random(2);
    List<Pair> pairs = new ArrayList<>();
    for (int field : NewerLlvm.CRASHES) {
      for (int i = 0; i < 20; i++) {
        pairs.add(
            new Pair(
                0xd0000000 | field << 16 | random.nextInt(256),
                256 + random.nextInt(256) | random.nextInt(512) << 9));
      }
    }
    Target target = Target.GFX950;
    assertThat(compare(target, pairs, llvm(target).disassemble(target, pairs))).isGreaterThan(10);
  }

  /** Opcode fields that no table has. */
  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void opcodesOfNoTableAreUndefined(Target target) throws Exception {
    List<Pair> pairs = new ArrayList<>();
    for (int field = 0; field < 1024; field++) {
      if (target == Target.GFX950 && NewerLlvm.CRASHES.contains(field)) {
        continue;
      }
      pairs.add(new Pair(0xd0000008 | (field << 16), 0x02));
      pairs.add(new Pair(0x7e000102 | (field << 9), 0));
      pairs.add(new Pair((field << 22) | 0x102, 0));
      pairs.add(new Pair(0xc0020000 | (field << 18), 0));
      pairs.add(new Pair(0xd8000000 | (field << 17), 0));
    }
    compare(target, pairs, llvm(target).disassemble(target, pairs));
  }

  private static List<String> fixtures() {
    return FULL
        ? List.of(
            "coop_groups",
            "half_mix",
            "heat2d",
            "last_block_sum",
            "saxpy",
            "texture_sampler",
            "volume3d",
            "warp_reduce")
        : List.of("half_mix");
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void wholeKernelsReadAsLlvmReadsThem(String fixture) throws Exception {
    Path out = folder.resolve(fixture);
    StringWriter log = new StringWriter();
    assertThat(
            Main.run(
                new PrintWriter(log),
                new PrintWriter(log),
                "port",
                Path.of("fixtures", fixture).toString(),
                "--out",
                out.toString(),
                "--quiet"))
        .as(log.toString())
        .isZero();
    for (Target target : CompiledKernels.targets().toList()) {
      for (String level : List.of("-O0", "-O3")) {
        Path object = compile(out.resolve(fixture + ".cu"), target, level);
        List<Line> lines = llvm(target).disassemble(object);
        List<Pair> pairs = lines.stream().map(DecoderTest::pair).toList();
        assertThat(compare(target, pairs, lines)).as(object.toString()).isGreaterThan(20);
      }
    }
  }

  private static Path compile(Path source, Target target, String level) throws Exception {
    Toolchain toolchain = TestToolchain.get();
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(List.of(target.arch())));
    arguments.addAll(List.of(level, "--cuda-device-only", "--no-gpu-bundle-output", "-c"));
    return TestCompiler.compile(source, arguments).made();
  }

  private static Pair pair(Line line) {
    List<Integer> words = line.words();
    return new Pair(words.getFirst(), words.size() > 1 ? words.get(1) : 0);
  }

  /** Compares all; returns how many were defined. */
  private static int compare(Target target, List<Pair> pairs, List<Line> lines) {
    Decoder decoder = Decoder.of(target);
    Disassembler disassembler = Disassembler.of(target);
    List<String> differences = new ArrayList<>();
    int defined = 0;
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      Optional<String> expected = expected(lines.get(i));
      Optional<String> actual = Optional.empty();
      try {
        Instruction instruction = decoder.decode(pair.first(), pair.second());
        actual =
            Optional.of(
                disassembler.print(instruction) + " // " + instruction.size() / 4 + " words");
      } catch (UndefinedOpcodeException e) {
        // stays empty
      }
      defined += actual.isPresent() ? 1 : 0;
      if (!actual.equals(expected)
          && !(target == Target.GFX950 && NewerLlvm.explains(pair, lines.get(i), actual))) {
        differences.add(
            pair + "\n  LLVM: " + lines.get(i).text().orElse("-") + "\n  ours: " + actual);
      }
    }
    assertThat(differences.stream().limit(20).toList())
        .as(target.arch() + ": " + differences.size() + " of " + pairs.size())
        .isEmpty();
    return defined;
  }

  private static Optional<String> expected(Line line) {
    return line.text()
        .filter(t -> !NOT_THERE.matcher(t).find())
        // an offset of FLAT has 12 bits
        .filter(
            t ->
                !(FLAT_OFFSET.matcher(t) instanceof Matcher m && m.matches())
                    || Integer.parseInt(m.group(1)) < 4096)
        .map(t -> t.replace(" offset:0x0", ""))
        .map(t -> t + " // " + line.words().size() + " words");
  }

  @ParameterizedTest
  @EnumSource(value = Target.class, names = "GFX9.*", mode = EnumSource.Mode.MATCH_ALL)
  void selectionsThatAreNoneAreUndefined(Target target) {
    Decoder decoder = Decoder.of(target);
    for (int second : new int[] {0x00060702, 0x00070602, 0x00061e02}) {
      assertThatThrownBy(() -> decoder.decode(0x7e1002f9, second))
          .isInstanceOf(UndefinedOpcodeException.class)
          .hasMessage(
              String.format("undefined instruction of %s: 7e1002f9 %08x", target.arch(), second));
    }
  }
}
