package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Comments;
import dev.rocport.lang.cuda.lex.Launches;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.PortOptions;
import java.util.List;

/** Ports kernel launches: {@code k<<<grid, block, shared, stream>>>(args)}. */
public final class LaunchPass {
  static final String GGL = "LAUNCH-GGL";
  static final String BROKEN = "LAUNCH-BROKEN";
  static final String PARTED = "LAUNCH-PARTED";
  static final String BRACES = "LAUNCH-BRACES";

  private final CudaFile f;
  private final Tokens t;

  private LaunchPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    LaunchPass pass = new LaunchPass(f);
    Launches launches = Launches.of(f.t);
    for (int n = 0; n < launches.count(); n++) {
      f.needsRuntime = true;
      pass.launch(launches.open(n), launches.close(n));
    }
  }

  private void launch(int open, int close) {
    int paren = close + 3;
    int end = close < 0 ? -1 : t.match(paren);
    if (close < 0 || !t.is(paren, '(') || end < 0) {
      // A macro may hold half a launch; whole code may not.
      if (!t.inDirective(open)) {
        f.changes.finding(
            BROKEN,
            Disposition.UNPORTED,
            t.start(open),
            t.end(open + 2),
            "<<< without a matching >>>( ): the launch is left unchanged");
      }
      return;
    }
    List<Arguments.Span> config = Arguments.between(t, open + 3, close);
    if (f.changes.allows(BRACES)) {
      config.stream().limit(2).filter(this::isList).forEach(this::dim3);
    }
    if (f.options.launch() != PortOptions.Launch.GGL || !f.changes.allows(GGL)) {
      join(open, "<<<");
      join(close, ">>>");
      return;
    }
    int kernel = kernelStart(open - 1);
    if (kernel < 0 || config.size() < 2 || config.size() > 4) {
      f.changes.finding(
          BROKEN,
          Disposition.REVIEW,
          t.start(open),
          t.end(close + 2),
          "launch of an unusual form: it keeps its chevrons, which hipcc accepts");
      return;
    }
    rewrite(kernel, open, config, paren, end);
  }

  private boolean isList(Arguments.Span a) {
    return t.is(a.first(), '{') && t.match(a.first()) == a.last();
  }

  private void dim3(Arguments.Span a) {
    f.changes.edit(Edit.replace(t.start(a.first()), t.end(a.first()), "dim3(", BRACES));
    f.changes.alsoEdit(Edit.replace(t.start(a.last()), t.end(a.last()), ")", BRACES));
  }

  private void join(int chevrons, String text) {
    if (Launches.areJoined(t, chevrons) || !f.changes.allows(PARTED)) {
      return;
    }
    if (t.text(chevrons, chevrons + 2).matches("[<>\\s]+")) {
      f.changes.edit(Edit.replace(t.start(chevrons), t.end(chevrons + 2), text, PARTED));
    } else {
      // Comments between the chevrons stay.
      f.changes.edit(Edit.replace(t.start(chevrons), t.end(chevrons), text, PARTED));
      f.changes.edit(Edit.delete(t.start(chevrons + 1), t.end(chevrons + 1), PARTED));
      f.changes.edit(Edit.delete(t.start(chevrons + 2), t.end(chevrons + 2), PARTED));
    }
  }

  /** First token of the kernel expression that ends at token {@code last}, or -1. */
  private int kernelStart(int last) {
    int i = last;
    if (t.is(i, '>')) {
      i = Angles.open(t, i) - 1;
    } else if (t.is(i, ')') || t.is(i, ']')) {
      i = t.match(i);
      return i >= 0 && (t.is(i, '(') && !t.isIdentifier(i - 1))
          ? i
          : i < 0 ? -1 : kernelStart(i - 1);
    }
    if (!t.isIdentifier(i)) {
      return -1;
    }
    while (t.isPair(i - 1, ':') || t.is(i - 1, '.') || t.isPair(i - 1, '-')) {
      if (t.isIdentifier(i - 2)) {
        i -= 2;
      } else if (t.is(i - 2, '>') && Angles.open(t, i - 2) > 0) {
        i = Angles.open(t, i - 2) - 1;
      } else {
        return t.isPair(i - 1, ':') ? i - 1 : -1;
      }
      if (t.is(i, "template")) {
        return -1;
      }
    }
    return i;
  }

  private void rewrite(int kernel, int open, List<Arguments.Span> config, int paren, int end) {
    boolean template = t.is(open - 1, '>');
    f.changes.edit(
        Edit.before(
            t.start(kernel),
            template ? "hipLaunchKernelGGL(HIP_KERNEL_NAME(" : "hipLaunchKernelGGL(",
            GGL));
    Arguments.Span grid = config.get(0);
    Arguments.Span block = config.get(1);
    String name = template ? ")" : "";
    also(t.end(open - 1), t.start(grid.first()), name + ", " + dim(grid));
    String afterGrid = undim(grid) + ", " + dim(block);
    also(t.end(grid.last()), t.start(block.first()), afterGrid);
    int last = block.last();
    String tail = undim(block);
    for (int k = 2; k < config.size(); k++) {
      also(t.end(last), t.start(config.get(k).first()), tail + ", ");
      tail = "";
      last = config.get(k).last();
    }
    tail += ", 0".repeat(4 - config.size());
    boolean arguments = end > paren + 1;
    also(
        t.end(last), arguments ? t.start(paren + 1) : t.end(paren), tail + (arguments ? ", " : ""));
  }

  private void also(int from, int to, String text) {
    String comments = Comments.of(f.source.text(from, to));
    f.changes.alsoEdit(Edit.replace(from, to, text + comments, GGL));
  }

  private String dim(Arguments.Span a) {
    return isDim3(a) ? "" : "dim3(";
  }

  private String undim(Arguments.Span a) {
    return isDim3(a) ? "" : ")";
  }

  private boolean isDim3(Arguments.Span a) {
    return (isList(a) && f.changes.allows(BRACES))
        || (t.is(a.first(), "dim3")
            && t.is(a.first() + 1, '(')
            && t.match(a.first() + 1) == a.last());
  }
}
