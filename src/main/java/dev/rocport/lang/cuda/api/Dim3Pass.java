package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.lang.cuda.symbols.ObjectTypes.Known;
import java.util.Set;

/**
 * Converts between {@code dim3}, {@code uint3} and the indices of a kernel, which HIP does not do
 * implicitly.
 */
public final class Dim3Pass {
  static final String RULE = "DIM3-UINT3";

  /** Variables of kernels, which HIP converts to {@code dim3} only. */
  private static final Set<String> INDICES = Set.of("threadIdx", "blockIdx", "blockDim", "gridDim");

  private final CudaFile f;
  private final Tokens t;
  private final ObjectTypes types;

  private Dim3Pass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new ObjectTypes(f.t);
  }

  public static void run(CudaFile f) {
    boolean mentions =
        f.t.mentions("uint3") || (f.t.mentions("dim3") && f.t.mentions("make_uint3"));
    if (f.isC() || !mentions || !f.changes.allows(RULE)) {
      return;
    }
    Dim3Pass pass = new Dim3Pass(f);
    for (int i = 1; i + 2 < f.t.count(); i++) {
      if (f.t.is(i, '=')) {
        pass.assignment(i);
      } else if (f.t.is(i, '(')) {
        pass.construction(i);
      }
    }
  }

  /** {@code a = make_uint3(x, y, z)} and {@code a = b}, also as initializers. */
  private void assignment(int i) {
    boolean declares = t.is(i - 2, "dim3") || t.is(i - 2, "uint3");
    if (!declares && !types.isDereferenced(i - 1)) {
      return;
    }
    String to = declares ? t.text(i - 2) : name(types.ofObject(i - 1));
    int first = i + 1;
    if (to.equals("dim3") && t.is(first, "make_uint3") && t.is(first + 1, '(')) {
      f.changes.edit(Edit.replace(t.start(first), t.end(first), "dim3", RULE));
    } else if (to.equals("uint3") && isIndex(first)) {
      convert("make_uint3", first);
    } else if ((t.is(first + 1, ';') || t.is(first + 1, ',')) && types.isDereferenced(first)) {
      String from = name(types.ofObject(first));
      if (to.equals("dim3") && from.equals("uint3")) {
        convert("dim3", first);
      } else if (to.equals("uint3") && from.equals("dim3")) {
        convert("make_uint3", first);
      }
    }
  }

  private boolean isIndex(int i) {
    return INDICES.contains(t.text(i)) && (t.is(i + 1, ';') || t.is(i + 1, ','));
  }

  /** {@code dim3 a(b)} and {@code dim3(b)}. */
  private void construction(int i) {
    boolean single = t.isIdentifier(i + 1) && t.is(i + 2, ')');
    boolean dim3 = t.is(i - 1, "dim3") || (t.isIdentifier(i - 1) && t.is(i - 2, "dim3"));
    if (single
        && dim3
        && types.isDereferenced(i + 1)
        && name(types.ofObject(i + 1)).equals("uint3")) {
      String b = t.text(i + 1);
      f.changes.edit(Edit.after(t.end(i + 1), ".x, %s.y, %s.z".formatted(b, b), RULE));
    }
  }

  private void convert(String function, int object) {
    String b = t.text(object);
    String text = "%s(%s.x, %s.y, %s.z)".formatted(function, b, b, b);
    f.changes.edit(Edit.replace(t.start(object), t.end(object), text, RULE));
  }

  private static String name(ObjectTypes.Type type) {
    return type instanceof Known k ? k.name() : "";
  }
}
