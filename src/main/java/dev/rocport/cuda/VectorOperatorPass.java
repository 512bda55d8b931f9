package dev.rocport.cuda;

import dev.rocport.report.Disposition;
import dev.rocport.source.Edit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A project's own operators on CUDA's vector types that HIP's headers define too, so that every use
 * is ambiguous: {@code T op= T} for all operators and {@code T * T} (found by compiling each form
 * with HIP 6.4). Where the project's operator works component by component, as HIP's does, it is
 * left out under HIP; one with a meaning of its own is a finding.
 */
final class VectorOperatorPass {
  static final String RULE = "VEC-OPERATOR";
  static final String OWN = "VEC-OPERATOR-MEANING";

  private static final Pattern VECTOR =
      Pattern.compile("u?(char|short|int|long|longlong)[234]|float[234]|double[234]");
  private static final String[] COMPONENTS = {"x", "y", "z", "w"};

  private final CudaFile f;
  private final Tokens t;

  private VectorOperatorPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  static void run(CudaFile f) {
    VectorOperatorPass pass = new VectorOperatorPass(f);
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.is(i, "operator") && !f.regions.isDead(i)) {
        pass.operator(i);
      }
    }
  }

  private void operator(int i) {
    int open = i + 1;
    StringBuilder op = new StringBuilder();
    while (!t.is(open, '(') && open < i + 4) {
      op.append(t.text(open++));
    }
    boolean compound =
        op.length() == 2 && op.charAt(1) == '=' && "+-*/%&|^".indexOf(op.charAt(0)) >= 0;
    if (!t.is(open, '(') || !(compound || op.toString().equals("*"))) {
      return;
    }
    List<Arguments.Span> parameters = Arguments.of(t, open);
    int brace = t.match(open) + 1;
    if (parameters.size() != 2 || !t.is(brace, '{') || t.match(brace) < 0) {
      return;
    }
    String first = vectorType(parameters.get(0));
    if (first.isEmpty() || !first.equals(vectorType(parameters.get(1)))) {
      return;
    }
    int close = t.match(brace);
    String a = t.text(parameters.get(0).last());
    String b = t.text(parameters.get(1).last());
    if (!t.inDirective(i) && isComponentWise(brace, close, a, b, op.charAt(0), first, compound)) {
      if (f.changes.allows(RULE)) {
        guard(i, close);
      }
    } else {
      f.changes.finding(
          OWN,
          Disposition.UNPORTED,
          t.start(i),
          t.end(close),
          "operator" + op + " on " + first + " clashes with HIP's own, which works by component");
    }
  }

  /** The vector type of a parameter; empty for all others. */
  private String vectorType(Arguments.Span p) {
    for (int i = p.first(); i <= p.last(); i++) {
      if (t.isIdentifier(i) && VECTOR.matcher(t.text(i)).matches()) {
        return t.text(i);
      }
    }
    return "";
  }

  private boolean isComponentWise(
      int brace, int close, String a, String b, char op, String type, boolean compound) {
    int n = type.charAt(type.length() - 1) - '0';
    List<String> body = new ArrayList<>();
    for (int i = brace + 1; i < close; i++) {
      body.add(t.text(i));
    }
    String text = String.join("", body);
    if (compound) {
      StringBuilder each = new StringBuilder();
      StringBuilder whole = new StringBuilder();
      for (int k = 0; k < n; k++) {
        String c = COMPONENTS[k];
        each.append("%s.%s%s=%s.%s;".formatted(a, c, op, b, c));
        whole.append("%s.%s=%s.%s%s%s.%s;".formatted(a, c, a, c, op, b, c));
      }
      String back = "return" + a + ";";
      String assigned = "%s=%s%s%s;".formatted(a, a, op, b);
      return List.of(
              each.toString(),
              each + back,
              whole.toString(),
              whole + back,
              assigned,
              assigned + back,
              "return" + assigned)
          .contains(text);
    }
    StringBuilder list = new StringBuilder();
    for (int k = 0; k < n; k++) {
      String c = COMPONENTS[k];
      list.append(k == 0 ? "" : ",").append("%s.%s%s%s.%s".formatted(a, c, op, b, c));
    }
    return List.of(
            "returnmake_" + type + "(" + list + ");",
            "return" + type + "(" + list + ");",
            "return" + type + "{" + list + "};",
            "return{" + list + "};")
        .contains(text);
  }

  /** Puts the whole definition behind a gate. */
  private void guard(int i, int close) {
    int first = i;
    while (first > 0
        && !t.inDirective(first - 1)
        && !t.is(first - 1, ';')
        && !t.is(first - 1, '{')
        && !t.is(first - 1, '}')) {
      first--;
    }
    String nl = f.source.newline();
    int start = t.start(first);
    int lineStart = f.source.lineStart(f.source.line(start));
    boolean leads = f.source.text(lineStart, start).isBlank();
    String gate = "#if !defined(__HIP_PLATFORM_AMD__)" + nl;
    f.changes.edit(Edit.before(leads ? lineStart : start, (leads ? "" : nl) + gate, RULE));
    int end = t.end(close);
    int lineEnd = f.source.lineEnd(f.source.line(end - 1));
    boolean trails = t.start(close + 1) >= lineEnd;
    f.changes.alsoEdit(
        Edit.after(trails ? lineEnd : end, nl + "#endif" + (trails ? "" : nl), RULE));
  }
}
