package dev.rocport.singlesource;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.condition.Condition;
import dev.rocport.lang.cuda.condition.Condition.Macro;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.condition.Regions.Chain;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** Reads files with gates: removes rocport gates, and returns what an AMD compiler sees. */
public final class Gates {
  /** The macro that identifies an AMD build. */
  public static final String MACRO = "__HIP_PLATFORM_AMD__";

  private Gates() {}

  /** Returns the bytes of a file without rocport gates: the original of a single-source port. */
  public static byte[] strip(SourceFile file) {
    List<Gate> gates = Gate.of(file);
    if (gates.isEmpty()) {
      return file.bytes();
    }
    byte[] b = file.bytes();
    ByteArrayOutputStream out = new ByteArrayOutputStream(b.length);
    int at = 0;
    for (Gate g : gates) {
      int open = g.open() == 1 ? Gate.start(file) : file.lineStart(g.open());
      out.write(b, at, open - at);
      if (g.originalStart() < g.close()) {
        int from = file.lineStart(g.originalStart());
        int to = g.noNewline() ? file.lineEnd(g.close() - 1) : file.lineStart(g.close());
        out.write(b, from, to - from);
      }
      at = lineAfter(file, g.close());
    }
    out.write(b, at, b.length - at);
    return out.toByteArray();
  }

  /**
   * Returns the file as an AMD compiler sees it, at the same offsets, with NVIDIA code blanked.
   * Gates in other forms are resolved if {@link #MACRO} decides their condition.
   */
  static SourceFile amdView(SourceFile file) {
    byte[] b = file.bytes().clone();
    boolean blanked = false;
    for (Gate g : Gate.of(file)) {
      boolean hidden = g.kind() != GateLine.AMD;
      blank(
          b,
          g.open() == 1 ? Gate.start(file) : file.lineStart(g.open()),
          lineAfter(file, g.open()));
      int from = hidden ? g.open() : g.amdEnd();
      blank(b, file.lineStart(from), lineAfter(file, g.close()));
      blanked = true;
    }
    SourceFile view = blanked ? new SourceFile(file.path(), b) : file;
    Tokens t = Lexer.lex(view);
    for (Chain chain : Regions.of(t).chains()) {
      boolean taken = false;
      for (Branch branch : chain.branches()) {
        Boolean truth = Condition.evaluate(t, branch.directive(), Gates::onAmd);
        if (taken || (truth != null && !truth)) {
          int from = branch.directive().end();
          blank(b, from, t.start(branch.to()));
          blanked |= from < t.start(branch.to());
        }
        taken |= truth != null && truth;
      }
    }
    return blanked ? new SourceFile(file.path(), b) : file;
  }

  private static Macro onAmd(String name) {
    return name.equals(MACRO) ? new Macro.Value(1) : new Macro.Unknown();
  }

  private static int lineAfter(SourceFile file, int line) {
    return line < file.lines() ? file.lineStart(line + 1) : file.length();
  }

  private static void blank(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] != '\n' && b[i] != '\r') {
        b[i] = ' ';
      }
    }
  }
}
