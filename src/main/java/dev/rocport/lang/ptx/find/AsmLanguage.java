package dev.rocport.lang.ptx.find;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Determines the architecture of an assembly template: host compilers also accept {@code asm}. */
public enum AsmLanguage {
  /** NVIDIA's PTX. */
  PTX,
  /** AMD's own, as in a branch for HIP. */
  AMD,
  /** Of a processor: no matter for a port. */
  HOST,
  /** No instruction at all: a fence for the compiler. */
  NONE;

  private static final Pattern AMD_MNEMONIC =
      Pattern.compile("(?:v|s|ds|flat|global|buffer|scratch)_[a-z].*");

  /** Opcodes that no CPU assembler knows. */
  private static final Set<String> ONLY_PTX =
      Set.of(
          "activemask",
          "applypriority",
          "bfind",
          "bmsk",
          "brkpt",
          "clusterlaunchcontrol",
          "createpolicy",
          "cvta",
          "dp2a",
          "dp4a",
          "elect",
          "fns",
          "getctarank",
          "griddepcontrol",
          "isspacep",
          "istypep",
          "ldmatrix",
          "ldu",
          "lop3",
          "mapa",
          "mbarrier",
          "membar",
          "movmatrix",
          "multimem",
          "nanosleep",
          "pmevent",
          "prefetchu",
          "prmt",
          "redux",
          "selp",
          "setmaxnreg",
          "setp",
          "shfl",
          "slct",
          "stackrestore",
          "stacksave",
          "stmatrix",
          "suld",
          "suq",
          "sured",
          "sust",
          "szext",
          "tcgen05",
          "tensormap",
          "testp",
          "tld4",
          "txq",
          "vabsdiff",
          "vote",
          "wgmma",
          "wmma");

  /** Opcodes that are recognized only with a PTX qualifier. */
  private static final Set<String> SHARED =
      Set.of(
          "abs",
          "add",
          "addc",
          "alloca",
          "and",
          "atom",
          "bar",
          "barrier",
          "bfe",
          "bfi",
          "brev",
          "brx",
          "call",
          "clz",
          "cnot",
          "copysign",
          "cos",
          "cp",
          "cvt",
          "discard",
          "div",
          "ex2",
          "fence",
          "fma",
          "ld",
          "lg2",
          "mad",
          "mad24",
          "madc",
          "match",
          "max",
          "min",
          "mma",
          "mov",
          "mul",
          "mul24",
          "neg",
          "not",
          "or",
          "popc",
          "prefetch",
          "rcp",
          "red",
          "rem",
          "rsqrt",
          "sad",
          "set",
          "shf",
          "shl",
          "shr",
          "sin",
          "sqrt",
          "st",
          "sub",
          "subc",
          "tanh",
          "tex",
          "xor");

  /** Instructions for two or four small numbers name two types at least. */
  private static final Set<String> VIDEO =
      Set.of(
          "vabsdiff2",
          "vabsdiff4",
          "vadd",
          "vadd2",
          "vadd4",
          "vavrg2",
          "vavrg4",
          "vmad",
          "vmax",
          "vmax2",
          "vmax4",
          "vmin",
          "vmin2",
          "vmin4",
          "vset",
          "vset2",
          "vset4",
          "vshl",
          "vshr",
          "vsub",
          "vsub2",
          "vsub4");

  private static final Pattern TYPE =
      Pattern.compile(
          "[us](8|16|32|64)(x[24])?|b(8|16|32|64|128|1|4x16|8x16|6x16)|f(16|16x2|32|64|32x2)"
              + "|bf16(x2)?|tf32|pred|e[2-5]m[0-4](x[24])?");

  private static final Set<String> WORDS =
      Set.of(
          "global",
          "shared",
          "local",
          "const",
          "param",
          "sync",
          "async",
          "cta",
          "cluster",
          "gpu",
          "sys",
          "gl",
          "sc",
          "acq_rel",
          "acquire",
          "release",
          "relaxed",
          "warp",
          "arrive",
          "uni",
          "proxy",
          "mbarrier_init",
          "red",
          "popc",
          "reduce",
          "bulk",
          "L1",
          "L2",
          "a1d",
          "1d",
          "2d",
          "3d",
          "a2d",
          "cube");

  /** Of a statement's opcode and qualifiers. */
  static boolean isPtx(String head) {
    int dot = head.indexOf('.');
    String opcode = dot < 0 ? head : head.substring(0, dot);
    if (dot < 0) {
      return opcode.equals("trap") || opcode.equals("brkpt");
    }
    if (ONLY_PTX.contains(opcode)) {
      return true;
    }
    boolean video = VIDEO.contains(opcode);
    if (!video && !SHARED.contains(opcode)) {
      return opcode.equals("bra") && head.equals("bra.uni");
    }
    if (head.indexOf(PtxText.HOLE) > dot) {
      return true; // a part of it is known at run time
    }
    int types = 0;
    boolean word = false;
    for (String q : head.substring(dot + 1).split("\\.", -1)) {
      int colons = q.indexOf("::");
      String first = colons < 0 ? q : q.substring(0, colons);
      types += TYPE.matcher(q).matches() ? 1 : 0;
      word |= WORDS.contains(first);
    }
    return video ? types >= 2 : types >= 1 || word;
  }

  /** Tells it by the instructions of a template, escapes read. */
  public static AsmLanguage of(String template) {
    Statements all = new Statements(template);
    boolean any = false;
    boolean amd = false;
    while (all.next()) {
      any = true;
      switch (all.kind()) {
        case INSTRUCTION -> {
          if (isPtx(all.name())) {
            return PTX;
          }
          amd |= AMD_MNEMONIC.matcher(all.name()).matches();
        }
        case DIRECTIVE -> {
          if (List.of(".reg", ".entry", ".func").contains(all.name())) {
            return PTX;
          }
        }
        default -> {
          return PTX;
        }
      }
    }
    return amd ? AMD : any ? HOST : NONE;
  }

  /**
   * True if a string is nothing but PTX instructions, the last one ended, with a register in it.
   */
  public static boolean isInstructions(String text) {
    if (!text.stripTrailing().endsWith(";")
        || text.indexOf('%') < 0
        || !Sieve.mayHold(text.getBytes(StandardCharsets.ISO_8859_1))) {
      return false;
    }
    Statements all = new Statements(text);
    boolean any = false;
    while (all.next()) {
      switch (all.kind()) {
        case INSTRUCTION -> {
          if (!isPtx(all.name()) && !all.name().equals("bra") && !all.name().equals("ret")) {
            return false;
          }
          any |= isPtx(all.name());
        }
        case DIRECTIVE -> {
          if (!all.name().equals(".reg") && !all.name().equals(".shared")) {
            return false;
          }
        }
        default -> {
          return false;
        }
      }
    }
    return any;
  }
}
