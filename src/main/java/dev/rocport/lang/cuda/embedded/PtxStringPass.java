package dev.rocport.lang.cuda.embedded;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.asm.AsmPass;
import dev.rocport.lang.cuda.asm.AsmStatement;
import dev.rocport.lang.cuda.asm.AsmTexts;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.ptx.find.AsmLanguage;
import dev.rocport.lang.ptx.find.Findings;
import dev.rocport.lang.ptx.find.Literals;
import dev.rocport.lang.ptx.find.PtxText;
import java.util.Locale;

/**
 * Finds PTX in literals: modules for the driver, instructions that are built at run time, and asm
 * statements of kernels in concatenated literals. Also finds binaries for NVIDIA GPUs in the
 * numbers of initializers.
 */
public final class PtxStringPass {
  private static final String FAT_MAGIC = "ba55ed50";
  private static final int[] ELF = {0x7f, 'E', 'L', 'F'};

  /** Of the machine's number, in an ELF file for a GPU. */
  private static final int MACHINE_AT = 18;

  private static final int EM_CUDA = 190;

  private PtxStringPass() {}

  public static void run(CudaFile f, Findings findings) {
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      switch (t.kind(i)) {
        case Tokens.IDENTIFIER -> {
          AsmStatement asm = AsmStatement.at(t, i);
          if (asm != null) {
            i = asm.last();
          }
        }
        case Tokens.STRING -> {
          int last = AsmTexts.lastString(t, i);
          if (!f.regions.isDead(i)) {
            literals(f, i, last, findings);
          }
          i = last;
        }
        case Tokens.NUMBER -> number(f, i);
        default -> {}
      }
    }
  }

  private static void literals(CudaFile f, int first, int last, Findings findings) {
    byte[] b = f.source.bytes();
    int start = f.t.start(first);
    int end = f.t.end(last);
    if (!mayHold(b, start, end)) {
      return;
    }
    PtxText text = Literals.ofC(b, start, end);
    if (findings.module(text, "a string")) {
      return;
    }
    if (text.text().contains("asm")) {
      for (PtxText asm : AsmTexts.in(text)) {
        if (!isPorted(f, first, last, asm)) {
          findings.inline(AsmPass.RULE, asm, "inline PTX in a string");
        }
      }
    } else if (AsmLanguage.isInstructions(text.text())) {
      findings.inline(Findings.STRING, text, "PTX in a string");
    }
  }

  /** Instructions end with a semicolon, modules have a version; most strings have neither. */
  private static boolean mayHold(byte[] b, int start, int end) {
    if (end - start < 8) {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (b[i] == ';' || (b[i] == '.' && i + 8 < end && b[i + 1] == 'v' && b[i + 2] == 'e')) {
        return true;
      }
    }
    return false;
  }

  /** True for a statement in one literal that is ported as a kernel's text. */
  private static boolean isPorted(CudaFile f, int first, int last, PtxText asm) {
    int from = asm.start(0);
    int to = asm.end(asm.text().length());
    for (int i = first; i <= last; i++) {
      if (f.t.start(i) < from && to < f.t.end(i)) {
        return f.changes.allows(StringPass.KERNEL) && StringPass.isKernel(f, i);
      }
    }
    return false;
  }

  private static void number(CudaFile f, int i) {
    Tokens t = f.t;
    int length = t.end(i) - t.start(i);
    if (length >= 10 && t.text(i).toLowerCase(Locale.ROOT).contains(FAT_MAGIC)) {
      binary(f, i, "a fat binary for NVIDIA GPUs, embedded as numbers");
    } else if (length <= 4 && t.is(i + 1, ',') && mayBeElf(t, i) && isElf(t, i)) {
      binary(f, i, "a cubin for NVIDIA GPUs, embedded as numbers");
    }
  }

  private static void binary(CudaFile f, int i, String message) {
    f.changes.finding(Findings.BINARY, Disposition.UNPORTED, f.t.start(i), f.t.end(i), message);
  }

  /** Tests the last digit of 127 in any base, since most numbers are others. */
  private static boolean mayBeElf(Tokens t, int i) {
    byte last = t.file().bytes()[t.end(i) - 1];
    return last == '7' || last == 'f' || last == 'F';
  }

  private static boolean isElf(Tokens t, int i) {
    for (int k = 0; k < ELF.length; k++) {
      if (value(t, i + 2 * k) != ELF[k]) {
        return false;
      }
    }
    return value(t, i + 2 * MACHINE_AT) == EM_CUDA;
  }

  private static int value(Tokens t, int i) {
    if (t.kind(i) != Tokens.NUMBER || t.end(i) - t.start(i) > 4) {
      return -1;
    }
    try {
      return Integer.decode(t.text(i));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
