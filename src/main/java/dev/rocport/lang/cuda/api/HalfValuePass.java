package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what HIP's 16-bit floats need to be unambiguous: the type of a list that is assigned to
 * one, and a step over {@code float} in conversions between half and bfloat16.
 */
public final class HalfValuePass {
  static final String RULE = "HALF-VALUE";

  private enum Kind {
    HALF,
    BFLOAT16,
    PAIR
  }

  private static final Map<String, Kind> TYPES =
      Map.of(
          "half", Kind.HALF,
          "__half", Kind.HALF,
          "nv_bfloat16", Kind.BFLOAT16,
          "__nv_bfloat16", Kind.BFLOAT16,
          "half2", Kind.PAIR,
          "__half2", Kind.PAIR,
          "nv_bfloat162", Kind.PAIR,
          "__nv_bfloat162", Kind.PAIR);

  private final CudaFile f;
  private final Tokens t;
  private final ObjectTypes objects;
  private final VariableTypes types;

  private HalfValuePass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.objects = new ObjectTypes(f.t);
    this.types = new VariableTypes(f.t);
  }

  public static void run(CudaFile f) {
    if (f.isC() || !f.t.mentions(TYPES.keySet()) || !f.changes.allows(RULE)) {
      return;
    }
    HalfValuePass pass = new HalfValuePass(f);
    for (int i = 1; i + 2 < f.t.count(); i++) {
      pass.assignment(i);
      pass.cast(i);
    }
  }

  /** {@code pair = {a, b};}, where HIP's copies of several types are equally good. */
  private void assignment(int i) {
    int close = t.is(i, '=') && t.is(i + 1, '{') ? t.match(i + 1) : -1;
    if (close < 0 || !t.is(close + 1, ';')) {
      return;
    }
    boolean empty = close == i + 2;
    int start = objects.startOfObject(i - 1);
    boolean statement =
        t.is(start - 1, ';')
            || t.is(start - 1, '{')
            || t.is(start - 1, '}')
            || t.is(start - 1, ')');
    String type = start > 0 && statement ? types.of(i - 1) : "";
    Kind kind = TYPES.get(type);
    if ((kind == Kind.PAIR || (empty && kind != null)) && !f.isOwn(type, i)) {
      f.changes.edit(Edit.before(t.start(i + 1), ported(type), RULE));
    }
  }

  /** {@code T(x)}, {@code (T)x} and {@code static_cast<T>(x)} of an object {@code x}. */
  private void cast(int i) {
    Kind to = t.isIdentifier(i) ? TYPES.get(t.text(i)) : null;
    if (to == null || to == Kind.PAIR || f.isQualified(i)) {
      return;
    }
    boolean c = t.is(i - 1, '(') && t.is(i + 1, ')') && !t.isIdentifier(i - 2);
    boolean named = t.is(i - 2, "static_cast") && t.is(i + 1, '>') && t.is(i + 2, '(');
    boolean call = t.is(i + 1, '(') && !t.isIdentifier(i - 1);
    if (!c && !named && !call) {
      return;
    }
    int first = c || call ? i + 2 : i + 3;
    int last = endOfOperand(first);
    Kind from = last >= 0 && (c || t.is(last + 1, ')')) ? kind(first, last) : null;
    if (from != null && from != to && from != Kind.PAIR) {
      f.changes.edit(Edit.before(t.start(first), "static_cast<float>(", RULE));
      f.changes.alsoEdit(Edit.after(t.end(last), ")", RULE));
    }
  }

  /** The type of an operand: that of a variable, or the one that it is converted to. */
  private @Nullable Kind kind(int first, int last) {
    int type = t.is(first, '(') ? first + 1 : first;
    if (last > type && (t.is(first, '(') || t.is(type + 1, '('))) {
      return TYPES.get(t.text(type));
    }
    return objects.startOfObject(last) == first ? TYPES.get(types.of(last)) : null;
  }

  /** The last token of a variable or a conversion that begins at {@code first}; -1 for others. */
  private int endOfOperand(int first) {
    if (t.is(first, '(') && TYPES.containsKey(t.text(first + 1)) && t.is(first + 2, ')')) {
      return endOfOperand(first + 3);
    }
    if (!t.isIdentifier(first)) {
      return -1;
    }
    if (TYPES.containsKey(t.text(first)) && t.is(first + 1, '(')) {
      return t.match(first + 1);
    }
    int i = first;
    while (t.is(i + 1, '[') && t.match(i + 1) > 0) {
      i = t.match(i + 1);
    }
    boolean more =
        t.is(i + 1, '(') || t.is(i + 1, '.') || t.isPair(i + 1, '-') || t.isPair(i + 1, ':');
    return more ? -1 : i;
  }

  private String ported(String type) {
    var entry = f.api.find(type);
    return entry == null || entry.name == null ? type : f.api.target(entry.name);
  }
}
