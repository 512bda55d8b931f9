package dev.rocport.lang.cuda.api;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.HipGate;
import dev.rocport.lang.cuda.symbols.VectorTypes;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Ports operators that a project defines on CUDA vector types and that the HIP headers also define,
 * so that every use is ambiguous: {@code T op= T} for all operators, {@code T * T}, {@code T / T},
 * {@code ++T} and {@code --T} (found by compiling each form with HIP 6.4). CUDA complex types are
 * such vectors, too. An operator that works component by component, as the HIP operator does, is
 * removed under HIP; an operator with another meaning is a finding.
 */
public final class VectorOperatorPass {
  static final String RULE = "VEC-OPERATOR";
  static final String OWN = "VEC-OPERATOR-MEANING";
  static final String BASE = "VEC-OPERATOR-BASE";

  private static final Pattern COMPLEX = Pattern.compile("cu(Float|Double)?Complex");
  private static final String COMPONENTS = "xyzw";

  private final CudaFile f;
  private final Tokens t;

  private VectorOperatorPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (!f.t.mentions("operator")) {
      return;
    }
    VectorOperatorPass pass = new VectorOperatorPass(f);
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.is(i, "operator") && !f.regions.isDead(i)) {
        pass.operator(i);
      } else if ((f.t.is(i, "struct") || f.t.is(i, "class")) && !f.regions.isDead(i)) {
        pass.derived(i);
      }
    }
  }

  /** Reports a class that is derived from a vector type and converts to another type. */
  private void derived(int i) {
    if (!t.isIdentifier(i + 1) || !t.is(i + 2, ':') || t.is(i + 3, ':')) {
      return;
    }
    int brace = i + 3;
    int base = -1;
    while (brace < t.count() && !t.is(brace, '{') && !t.is(brace, ';')) {
      if (t.isIdentifier(brace) && VectorTypes.NAMES.contains(t.text(brace))) {
        base = brace;
      }
      brace++;
    }
    if (base < 0 || !t.is(brace, '{') || t.match(brace) < 0) {
      return;
    }
    for (int k = brace + 1; k < t.match(brace); k++) {
      if (t.is(k, "operator")
          && t.isIdentifier(k + 1)
          && !t.is(k + 1, "new")
          && !t.is(k + 1, "delete")) {
        f.changes.finding(
            BASE,
            Disposition.REVIEW,
            t.start(base),
            t.end(base),
            "base class "
                + t.text(base)
                + " has operators in HIP: expressions of "
                + t.text(i + 1)
                + " may use them, component by component, and not the conversion of this class");
        return;
      }
    }
  }

  private void operator(int i) {
    int open = i + 1;
    StringBuilder text = new StringBuilder();
    while (!t.is(open, '(') && open < i + 4) {
      text.append(t.text(open++));
    }
    String op = text.toString();
    boolean step = op.equals("++") || op.equals("--");
    boolean compound =
        op.length() == 2 && op.charAt(1) == '=' && "+-*/%&|^".indexOf(op.charAt(0)) >= 0;
    if (!t.is(open, '(') || !(compound || step || op.equals("*") || op.equals("/"))) {
      return;
    }
    List<Arguments.Span> parameters = Arguments.of(t, open);
    int brace = t.match(open) + 1;
    boolean prototype = t.is(brace, ';');
    if (brace == 0 || !(prototype || (t.is(brace, '{') && t.match(brace) > 0))) {
      return;
    }
    String type = parameters.isEmpty() ? "" : vectorType(parameters.getFirst());
    boolean clashes = parameters.size() == (step ? 1 : 2);
    if (type.isEmpty() || !clashes || !type.equals(vectorType(parameters.getLast()))) {
      return;
    }
    int close = prototype ? brace : t.match(brace);
    if (!prototype && !step && !t.inDirective(i)) {
      String a = t.text(parameters.get(0).last());
      String b = t.text(parameters.get(1).last());
      if (isComponentWise(body(brace, close), type, a, b, op)) {
        if (f.changes.allows(RULE)) {
          HipGate.around(f, i, close, RULE);
        }
        return;
      }
    }
    f.changes.finding(
        OWN,
        Disposition.UNPORTED,
        t.start(i),
        t.end(close),
        "operator"
            + op
            + " on "
            + type
            + " conflicts with the HIP operator, which works component by component");
  }

  /** The vector type of a parameter; empty for other types. */
  private String vectorType(Arguments.Span p) {
    for (int i = p.first(); i <= p.last(); i++) {
      if (t.isIdentifier(i)
          && (VectorTypes.components(t.text(i)) > 0 || COMPLEX.matcher(t.text(i)).matches())) {
        return t.text(i);
      }
    }
    return "";
  }

  private String body(int brace, int close) {
    StringBuilder text = new StringBuilder();
    for (int i = brace + 1; i < close; i++) {
      text.append(t.text(i));
    }
    return text.toString();
  }

  private static boolean isComponentWise(String body, String type, String a, String b, String op) {
    boolean complex = COMPLEX.matcher(type).matches();
    if (complex && !op.equals("+=") && !op.equals("-=")) {
      return false; // written by component or not, HIP means something else
    }
    int n = complex ? 2 : type.charAt(type.length() - 1) - '0';
    char sign = op.charAt(0);
    String pattern = op.length() == 2 ? compound(type, a, b, sign, n) : binary(type, a, b, sign, n);
    return Pattern.matches(pattern, body);
  }

  /**
   * Bodies of {@code T& operator op= (T& a, T b)} that work by component, white space taken out.
   */
  private static String compound(String type, String a, String b, char op, int n) {
    StringBuilder each = new StringBuilder();
    StringBuilder whole = new StringBuilder();
    for (int k = 0; k < n; k++) {
      String c = "." + COMPONENTS.charAt(k);
      each.append(Pattern.quote(a + c + op + "=" + b + c + ";"));
      whole.append(Pattern.quote(a + c + "=")).append(element(a + c, b + c, op)).append(';');
    }
    String add = (op == '+' ? "cuCadd" : "cuCsub") + (type.equals("cuDoubleComplex") ? "" : "f");
    String sum = Pattern.quote(a + op + b) + "|" + Pattern.quote(add + "(" + a + "," + b + ")");
    String assigned = Pattern.quote(a + "=") + "(?:" + sum + ");";
    String back = "(?:return" + Pattern.quote(a) + ";)?";
    return "(?:(?:" + each + "|" + whole + "|" + assigned + ")" + back + "|return" + assigned + ")";
  }

  /** The same for {@code T operator op (T a, T b)}. */
  private static String binary(String type, String a, String b, char op, int n) {
    StringBuilder list = new StringBuilder();
    StringBuilder fields = new StringBuilder();
    for (int k = 0; k < n; k++) {
      String c = "." + COMPONENTS.charAt(k);
      String element = element(a + c, b + c, op);
      list.append(k == 0 ? "" : ",").append(element);
      fields.append("\\k<r>\\").append(c).append('=').append(element).append(';');
    }
    String made = "(?:make_" + type + "\\(" + list + "\\)|" + type + "\\(" + list + "\\)";
    String value = made + "|(?:" + type + ")?\\{" + list + "\\})";
    String step = Pattern.quote(op + "=" + b + ";");
    return "return"
        + value
        + ";|(?:const)?"
        + type
        + "(?<v>\\w+?)(?:="
        + value
        + "|\\{"
        + list
        + "\\}|\\("
        + list
        + "\\));return\\k<v>;|"
        + type
        + "(?<r>\\w+);"
        + fields
        + "return\\k<r>;|(?:"
        + Pattern.quote(a)
        + step
        + "return"
        + Pattern.quote(a + ";")
        + "|return"
        + Pattern.quote(a)
        + step
        + "|"
        + type
        + "(?<s>\\w+?)="
        + Pattern.quote(a + ";")
        + "\\k<s>"
        + step
        + "return\\k<s>;)";
  }

  private static String element(String a, String b, char op) {
    String e = Pattern.quote(a + op + b);
    String both = op == '*' ? e + "|" + Pattern.quote(b + op + a) : e;
    return "(?:" + both + "|\\((?:" + both + ")\\))";
  }
}
