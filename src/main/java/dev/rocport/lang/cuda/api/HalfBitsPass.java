package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import java.util.Set;

/**
 * Ports conversions of halves that are {@code unsigned short}, as CUDA before version 9 declared
 * them without a header. HIP would convert the number instead of its bits.
 */
public final class HalfBitsPass {
  static final String RULE = "HALF-BITS";
  private static final String SHIM = "half_functions.h";
  private static final String TO_FLOAT = "__half2float";
  private static final String FROM_FLOAT = "__float2half_rn";
  private static final Set<String> VECTORS =
      Set.of("ushort1", "ushort2", "ushort3", "ushort4", "uint16_t");

  private final CudaFile f;
  private final Tokens t;
  private final VariableTypes types;

  private HalfBitsPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new VariableTypes(f.t);
  }

  public static void run(CudaFile f) {
    boolean named = f.t.mentions(TO_FLOAT) || f.t.mentions(FROM_FLOAT);
    if (f.isC() || !named || !f.changes.allows(RULE) || includesHalf(f.t)) {
      return;
    }
    HalfBitsPass pass = new HalfBitsPass(f);
    for (int i = 0; i + 2 < f.t.count(); i++) {
      pass.call(i);
    }
  }

  private static boolean includesHalf(Tokens t) {
    return t.directives().stream()
        .filter(Directive::isInclude)
        .map(t::included)
        .anyMatch(h -> h.equals("cuda_fp16.h") || h.equals("cuda_fp16.hpp"));
  }

  private void call(int i) {
    int close = t.is(i + 1, '(') ? t.match(i + 1) : -1;
    if (close < 0 || t.inDirective(i) || f.regions.isDead(i) || f.isQualified(i)) {
      return;
    }
    if (t.is(i, TO_FLOAT) && !f.isOwn(TO_FLOAT, i) && isBits(close - 1)) {
      f.changes.edit(Edit.after(t.end(i + 1), "__ushort_as_half(", RULE));
      f.changes.edit(Edit.before(t.start(close), ")", RULE));
      f.shims.add(SHIM);
    } else if (t.is(i, FROM_FLOAT) && !f.isOwn(FROM_FLOAT, i) && becomesBits(i)) {
      f.changes.edit(Edit.before(t.start(i), "__half_as_ushort(", RULE));
      f.changes.edit(Edit.after(t.end(close), ")", RULE));
      f.shims.add(SHIM);
    }
  }

  /** An argument of one object: a variable, an element, or a field of a vector. */
  private boolean isBits(int last) {
    boolean field = t.isIdentifier(last) && t.is(last - 1, '.');
    int object = field ? last - 2 : last;
    int first = object;
    while (t.is(first, ']') && t.match(first) > 0) {
      first = t.match(first) - 1;
    }
    if (!t.is(first - 1, '(') || !t.isIdentifier(first)) {
      return false;
    }
    return isBits(field ? types.of(object) : types.of(last), types.declaration(object));
  }

  private boolean isBits(String type, int declared) {
    return type.equals("ushort")
        || VECTORS.contains(type)
        || (type.equals("short") && isUnsigned(declared))
        || (type.equals("unsigned") && isShort(declared));
  }

  private boolean isUnsigned(int declared) {
    return declared > 1 && (t.is(declared - 2, "unsigned") || t.is(declared - 3, "unsigned"));
  }

  private boolean isShort(int declared) {
    return declared > 1 && (t.is(declared - 1, "short") || t.is(declared - 2, "short"));
  }

  /** {@code make_ushort2(f(x), 0)} and {@code unsigned short bits = f(x)}. */
  private boolean becomesBits(int i) {
    int open = i - 1;
    while (open > i - 40 && open > 0 && !t.is(open, '(') && !t.is(open, ';') && !t.is(open, '{')) {
      open = t.before(open);
    }
    if (t.is(open, '(') && t.isIdentifier(open - 1) && t.text(open - 1).startsWith("make_ushort")) {
      return true;
    }
    int name = i - 2;
    return t.is(i - 1, '=')
        && (types.isDeclared(name)
            ? isBits(types.ofDeclared(name), name)
            : isBits(types.of(name), types.declaration(name)));
  }
}
