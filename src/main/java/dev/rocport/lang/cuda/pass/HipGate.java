package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;

/** Gates a definition, so that HIP uses its own definition of the same name. */
public final class HipGate {
  /** Holds where HIP does not compile for AMD GPUs. */
  public static final String CONDITION = "!defined(__HIP_PLATFORM_AMD__)";

  private HipGate() {}

  /**
   * Leaves out the definition from {@link Statements#definitionStart} of token {@code i} to token
   * {@code close}.
   */
  public static void around(CudaFile f, int i, int close, String rule) {
    around(f, i, close, CONDITION, rule);
  }

  /** The same unless a condition holds, which {@link #CONDITION} begins. */
  public static void around(CudaFile f, int i, int close, String condition, String rule) {
    Tokens t = f.t;
    String nl = f.source.newline();
    int start = t.start(Statements.definitionStart(t, i));
    int lineStart = f.source.lineStart(f.source.line(start));
    boolean leads = f.source.text(lineStart, start).isBlank();
    String gate = "#if " + condition + nl;
    f.changes.edit(Edit.before(leads ? lineStart : start, (leads ? "" : nl) + gate, rule));
    int end = t.end(close);
    int lineEnd = f.source.lineEnd(f.source.line(end - 1));
    boolean trails = t.start(close + 1) >= lineEnd;
    f.changes.alsoEdit(
        Edit.after(trails ? lineEnd : end, nl + "#endif" + (trails ? "" : nl), rule));
  }
}
