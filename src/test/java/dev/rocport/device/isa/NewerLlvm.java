package dev.rocport.device.isa;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Explains where the disassembler of LLVM 21 differs from that of LLVM 19 on bits that mean the
 * same on gfx942 and gfx950, and names the opcodes of gfx950 that the device does not know.
 */
final class NewerLlvm {
  /** A mnemonic of gfx950 without a row in the table. */
  static final Pattern UNKNOWN =
      Pattern.compile("v_(minimum3|maximum3)_(f16|\\w+)" + "|v_mfma_ld_scale_\\w+|v_smfmac_\\w+");

  /** Opcode fields of VOP3 whose words let llvm-objdump 21 end with a segmentation fault. */
  static final List<Integer> CRASHES = List.of(0x256, 0x257, 0x260, 0x261, 0x262, 0x263);

  /** Lines that only LLVM 21 prints, or that it prints otherwise, with the reason. */
  private static final Map<String, Pattern> EXPLAINED =
      Map.of(
          "a literal in the 64-bit encodings, which only later GPUs have",
          Pattern.compile("v_\\w+(_e64)? v\\d+, .*"),
          "formats of v_mfma_*_f8f6f4 that are none",
          Pattern.compile("v_mfma_\\w+_f8f6f4 .* (cbsz|blgp):[567].*"),
          "halves of words",
          Pattern.compile("v_ashr_pk_\\w+ .* op_sel:\\[(1,.,.|.,1,.|.,.,1),.\\].*"),
          "forms of v_pk_fmac_f16 that LLVM 19 refuses",
          Pattern.compile("v_pk_fmac_f16_(e64|dpp|sdwa) .*"),
          "a floating-point constant as the offset in a scalar register",
          Pattern.compile("buffer_.*\\], -?\\d\\.\\d+( .*)?"));

  private static final Pattern INTEGER_SIGNS =
      Pattern.compile("v_(mad|min3|max3|med3)_[iu]16 .*|v_mad_[iu]32_[iu]16 .*");
  private static final Pattern DOT = Pattern.compile("v_dot[48]_.*");

  private static final Pattern LAST_REGISTERS =
      Pattern.compile("v_mfma_\\w+_f8f6f4 .*[va]\\[25[0-9]:25[0-9]].*");

  private NewerLlvm() {}

  /** Whether some random words of an opcode let llvm-objdump 21 end with a fault. */
  static boolean crashesOn(Opcode opcode) {
    return opcode.encoding() == Encoding.VOP3
        && opcode.mnemonic().startsWith("v_cvt_scalef32_")
        && CRASHES.contains(opcode.number());
  }

  /** Whether a difference has a reason that is none of the decoder. */
  static boolean explains(
      LlvmDisassembler.Pair pair, LlvmDisassembler.Line line, Optional<String> ours) {
    Optional<String> llvm = line.text().map(t -> t + " // " + line.words().size() + " words");
    if (llvm.isPresent() && ours.isPresent()) {
      return same(llvm.get()).equals(same(ours.get()));
    }
    if (ours.isPresent()) {
      // LLVM 21 refuses bits that do nothing: abs, neg, op_sel, an offset without a load; and
      // tuples of 4 and 6 registers where 8 would not fit.
      return INTEGER_SIGNS.matcher(ours.get()).matches()
          || DOT.matcher(ours.get()).matches()
          || LAST_REGISTERS.matcher(ours.get()).matches()
          || ours.get().startsWith("buffer_wbinvl1")
          || ours.get().startsWith("v_bitop3_b32 ");
    }
    String text = llvm.orElseThrow();
    boolean wide = pair.first() >>> 26 == 0b110100 || pair.first() >>> 23 == 0b110100111;
    return UNKNOWN.matcher(text.replaceAll("(_e32|_e64|_dpp|_sdwa)? .*", "")).matches()
        || EXPLAINED.entrySet().stream()
            .filter(e -> !e.getKey().startsWith("a literal") || (wide && hasLiteral(pair.second())))
            .anyMatch(e -> e.getValue().matcher(text.replaceAll(" // .*", "")).matches());
  }

  private static boolean hasLiteral(int second) {
    return (second & 0x1ff) == 0xff
        || (second >>> 9 & 0x1ff) == 0xff
        || (second >>> 18 & 0x1ff) == 0xff;
  }

  /** A line without what LLVM 19 and 21 print differently. */
  private static String same(String line) {
    String text = line;
    if (DOT.matcher(text).matches()) {
      text = text.replaceAll(" op_sel(_hi)?:\\[[01,]*]", "");
    }
    if (text.startsWith("v_alignb")) {
      text = text.replaceAll(" op_sel:\\[[01,]*]", "");
    }
    if (text.startsWith("ds_swizzle_b32")) {
      text = text.replaceAll(" offset:(swizzle\\([^)]*\\)|\\d+)", "");
    }
    // EXEC as the address in scalar registers gets a remark.
    text = text.replaceAll("/\\*[^*]*SReg_64_XEXEC[^*]*\\*/", "");
    return text.replaceAll("sext\\(([^)]*)\\)", "$1");
  }
}
