package dev.rocport.device.isa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.TestProfile;
import dev.rocport.device.isa.LlvmDisassembler.Line;
import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What we decode and print of RDNA is what LLVM's disassembler prints of the same bits. */
@Tag("toolchain")
final class RdnaDecoderTest {
  /**
   * What LLVM prints and is none here: registers that it marks as wrong itself, hardware values
   * where only registers can stand, halves in the 32-bit form, 16-bit instructions that ignore a
   * half that is chosen, status words in the result of a buffer load and its offset as a literal,
   * caches with other fields than 0, literals of mixed precision, numbers that only it names, and
   * constants of scalar halves, which it prints as if they had 32 bits. Of images: status words,
   * warnings, short descriptors, instructions that move no component, and samples of pixels with
   * several samples.
   */
  private static final Pattern NOT_THERE =
      Pattern.compile(
          "/\\*|; Warning|; Error|lds_direct|pops_exiting| tfe //"
              + " |^v_dot2_b?f16_|^v_cmpx?_\\w+_e64(_dpp)?"
              + " src_|^v_mov_b16|depctr|^[sv]_(movrels|setpc|rfe).* src_|^v_readfirst.*"
              + " null|^s_version|^s_swappc_b64 [^,]+, ([-0-9]|src_)|^v_swap\\w*"
              + " .*(src_|null)|^v_mqsad_u32_u8"
              + " .*src_|^s_(gl1|dcache)_inv|^buffer_gl|^v_dual.*dot2acc.*"
              + " (0x|-?\\d\\.\\d)|^t?buffer_.* (null|\\d+),.*|^t?buffer_.*\\],"
              + " -?[0-9.x]+|^v_fma_mix(?!.*(row_|dpp8|quad_)).* // 3"
              + " words|^v_(permlane64|readfirst)\\w*"
              + " .*src_|^s_(cmp_[a-z]+|cvt_f32|cvt_hi_f32|trunc|floor|ceil|rndne)_f16"
              + " .*\\b\\d|^s_wait_alu|^v_cvt_sr_[bf][fp]8|vcc(_lo)?\\||^v_cndmask_b32_dpp"
              + " .*\\|.*vcc|^v_cvt_f32_[bf][pf]8_e64_dpp|^v_permlanex?16_b32.*(op_sel|src_)|_co_ci_u32_e64.*"
              + " (src_|null)|^v_fmac_f16_e64.* op_sel|^v_(movrels|permlane64)\\w*"
              + " .*null|^v_cndmask.* (null|src_\\w+)|^v_s_\\w+ (src_|exec)|^v_dot2_f32_bf16.* //"
              + " 3|^s_buffer_load_b96 ttmp|^s_load_b96 ttmp|^v_fma_mix\\w*_dpp"
              + " .*src_|^v_(wmma|swmmac)_.* (src_|null)|^v_readlane\\w* src_|^v_ldexp_f16.*,"
              + " (\\|?-?\\d\\.\\d|0x)|^image_.* (tfe|lwe|r128)\\b|^image_.*, src_|^image_(?!.*"
              + " dmask:)|^image_(sample|gather|get_lod|\\w*_mip).*_MSAA");

  private static final Pattern UPPER_HALF = Pattern.compile("\\bv\\d+\\.h\\b");
  private static final Pattern FLAT_OFFSET = Pattern.compile("flat_.* offset:(\\d+).*");

  private static final Pattern TUPLE = Pattern.compile("v\\[?(\\d+)(?::(\\d+))?");
  private static final Pattern IMAGE =
      Pattern.compile(
          "image_(?<name>\\w+) (?<data>\\S+), (?<addresses>\\[.*?v.*\\]|v\\S+), [^v].*"
              + "dmask:0x(?<components>\\w) dim:(?<dim>\\w+).*");

  @TempDir static Path folder;

  /** In the full profile more than 500,000 words of each target. */
  @Test
  void randomWordsOfEachOpcodeReadAsLlvmReadsThem() throws Exception {
    LlvmDisassembler llvm = new LlvmDisassembler(TestToolchain.get(), folder);
    for (Target target : Target.withLanes(32)) {
      List<int[]> words =
          new RdnaWords(31).of(opcodes(target, 32), TestProfile.isFull() ? 375 : 12);
      int defined = compare(target, 32, words, llvm.words(target, words));
      assertThat(defined).as("defined of " + words.size()).isGreaterThan(words.size() / 2);
    }
  }

  /** Those that LLVM 19 knows. */
  private static List<Opcode> opcodes(Target target, int lanes) {
    return Decoder.of(target, lanes).opcodes().stream()
        .filter(o -> !o.name().equals("v_swap_b16"))
        .toList();
  }

  /** Waves of 64 lanes have other masks and matrices, and no dual instructions. */
  @Test
  void wordsOfWavesOf64LanesReadAsLlvmReadsThem() throws Exception {
    LlvmDisassembler llvm = new LlvmDisassembler(TestToolchain.get(), folder);
    for (Target target : List.of(Target.GFX1100, Target.GFX1201)) {
      List<Opcode> opcodes = new ArrayList<>(opcodes(target, 64));
      if (!TestProfile.isFull()) {
        opcodes.removeAll(Set.copyOf(opcodes(target, 32)));
      }
      List<int[]> words = new RdnaWords(64).of(opcodes, TestProfile.isFull() ? 100 : 8);
      int defined = compare(target, 64, words, llvm.words(target, 64, words));
      assertThat(defined).as("defined of " + words.size()).isGreaterThan(words.size() / 3);
    }
  }

  /** LLVM 21 takes gfx1100 for a GPU whose 16-bit operands are halves of registers. */
  @Test
  void halvesReadAsNewerLlvmReadsThem() throws Exception {
    LlvmDisassembler llvm = new LlvmDisassembler(TestToolchain.of("gfx950"), folder);
    Target target = Target.GFX1100;
    List<Opcode> opcodes =
        Decoder.of(target).opcodes().stream()
            .filter(o -> RdnaHalves.areNamed(o.encoding()) && RdnaHalves.of(o) != 0)
            .toList();
    List<int[]> words = new RdnaWords(32).of(opcodes, TestProfile.isFull() ? 300 : 24);
    List<Line> lines =
        llvm.words(target, words).stream().map(RdnaDecoderTest::withoutLowerHalves).toList();
    int defined = compare(target, 32, words, lines);
    assertThat(defined).as("defined of " + words.size()).isGreaterThan(words.size() / 2);
  }

  /** Without the names of halves that op_sel repeats, and of lower halves. */
  private static Line withoutLowerHalves(Line line) {
    String names =
        line.words().getFirst() >>> 26 == 0b110101 ? "(?<=[vs]\\d{1,3})\\.[lh]" : "\\.l\\b";
    // some comparisons have a place for the half of a result, which is none
    return new Line(
        line.address(),
        line.text()
            .map(t -> t.replaceAll(names, ""))
            .map(t -> t.replaceFirst("^(v_cmp_.*op_sel:\\[.,.),0\\]", "$1]")),
        line.words());
  }

  /** Compares all; returns how many were defined. */
  private static int compare(Target target, int lanes, List<int[]> words, List<Line> lines) {
    Decoder decoder = Decoder.of(target, lanes);
    Disassembler disassembler = Disassembler.of(target);
    List<String> differences = new ArrayList<>();
    int defined = 0;
    for (int i = 0; i < words.size(); i++) {
      int[] w = words.get(i);
      Line line = lines.get(i);
      Optional<String> expected = line.text().map(t -> t + " // " + line.words().size() + " words");
      Optional<String> actual = Optional.empty();
      try {
        Instruction instruction = decoder.decode(w[0], w[1], w[2]);
        actual =
            Optional.of(
                disassembler.print(instruction) + " // " + instruction.size() / 4 + " words");
      } catch (UndefinedOpcodeException e) {
        // stays empty
      }
      defined += actual.isPresent() ? 1 : 0;
      // LLVM asks for four registers of data, also where four halves need two
      int data = target == Target.GFX1201 ? w[1] & 255 : w[1] >>> 8 & 255;
      boolean fewer =
          data > 252
              && expected.isEmpty()
              && actual.filter(t -> t.matches("image_(gather4|msaa).* d16 .*")).isPresent();
      // LLVM takes addresses of an image in v0 for none
      boolean taken = w[0] >>> 26 == 0b110100 && target == Target.GFX1201 && w[2] >>> 8 == 0;
      boolean same =
          known(actual).equals(known(expected))
              || hasOnlyOurHalves(actual, expected)
              || fewer
              || (taken && line.text().filter(RdnaDecoderTest::hasOtherSizes).isPresent());
      boolean stricter =
          actual.isEmpty()
              && (ignoresHalf(w[0], expected)
                  || ignoresSigns(w, expected)
                  || hasLiteralBesideLanes(w)
                  || line.text().filter(RdnaDecoderTest::hasOtherSizes).isPresent());
      if (!same && !stricter) {
        differences.add(
            "%08x %08x %08x%n  LLVM: %s%n  ours: %s"
                .formatted(w[0], w[1], w[2], line.text().orElse("-"), actual));
      }
    }
    assertThat(differences.stream().limit(20).toList())
        .as(target.arch() + ": " + differences.size() + " of " + words.size())
        .isEmpty();
    return defined;
  }

  /** Whether halves are the only difference: LLVM 19 knows none in most opcodes. */
  private static boolean hasOnlyOurHalves(Optional<String> ours, Optional<String> llvm) {
    if (ours.filter(t -> UPPER_HALF.matcher(t).find()).isPresent()) {
      return llvm.filter(t -> !t.contains("/*Invalid")).isEmpty();
    }
    // the second source of ldexp is an integer, and LLVM prints an absolute value of it
    return llvm.isPresent()
        && ours.map(t -> t.replaceFirst(" op_sel:\\[[01,]+\\]", ""))
            .equals(
                llvm.map(
                    t -> t.replaceFirst("^(v_ldexp_f16\\S* \\S+, \\S+, )\\|(\\w+)\\|", "$1$2")));
  }

  /** Whether VOP3 chooses a half that LLVM does not print: we know no such instruction. */
  private static boolean ignoresHalf(int first, Optional<String> text) {
    return first >>> 26 == 0b110101
        && (first & 0x7800) != 0
        && text.filter(t -> t.contains("16") && !t.contains("op_sel")).isPresent();
  }

  /** Whether sources 1 or 2 are a literal where the word that moves lanes is in its place. */
  private static boolean hasLiteralBesideLanes(int[] w) {
    boolean wide = w[0] >>> 26 == 0b110101 || w[0] >>> 26 == 0b110011;
    return wide
        && List.of(233, 234, 250).contains(w[1] & 0x1ff)
        && ((w[1] >>> 9 & 0x1ff) == 255 || (w[1] >>> 18 & 0x1ff) == 255);
  }

  /** Whether an integer of 16 bits has signs, which LLVM 21 ignores. */
  private static boolean ignoresSigns(int[] w, Optional<String> text) {
    boolean wide = w[0] >>> 26 == 0b110101;
    boolean signs = wide ? (w[0] & 0x700) != 0 : (w[0] & 0x1ff) == 250 && (w[1] & 0xf00000) != 0;
    return signs && text.filter(t -> t.matches("v_\\w*[iub]16.*|v_cmpx?_class_f16.*")).isPresent();
  }

  /**
   * Whether LLVM prints an image instruction with other sizes of operands than its bits ask for: it
   * does so where there is no such instruction.
   */
  private static boolean hasOtherSizes(String text) {
    Matcher m = IMAGE.matcher(text);
    if (!m.matches() || m.group("name").contains("_atomic_")) {
      return m.matches();
    }
    int components = Integer.bitCount(Integer.parseInt(m.group("components"), 16));
    boolean four = m.group("name").matches("gather4\\w*|msaa_load");
    int data = four ? 4 : components;
    ImageDim dim =
        Stream.of(ImageDim.values())
            .filter(d -> d.text().equals(m.group("dim")))
            .findFirst()
            .orElseThrow();
    Opcode opcode =
        new Opcode("image_" + m.group("name"), Encoding.MIMG, 0, List.of(), "", Generation.RDNA3);
    int addresses = ImageForm.of(opcode).words(dim, text.contains(" a16"));
    boolean one = m.group("addresses").startsWith("[") && addresses == 1;
    return one
        || registers(m.group("data")) != (text.contains(" d16") ? (data + 1) / 2 : data)
        || registers(m.group("addresses")) != addresses;
  }

  /** How many registers a list of them has. */
  private static int registers(String list) {
    int count = 0;
    Matcher m = TUPLE.matcher(list);
    while (m.find()) {
      count +=
          m.group(2) == null ? 1 : Integer.parseInt(m.group(2)) - Integer.parseInt(m.group(1)) + 1;
    }
    return count;
  }

  private static Optional<String> known(Optional<String> text) {
    return text.map(t -> t.replaceAll("sext\\(([-\\w.]+)\\)", "$1"))
        .filter(t -> !NOT_THERE.matcher(t).find())
        // an offset of FLAT has 12 bits
        .filter(
            t ->
                !(FLAT_OFFSET.matcher(t) instanceof Matcher m && m.matches())
                    || Integer.parseInt(m.group(1)) < 4096);
  }
}
