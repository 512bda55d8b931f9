package dev.rocport.lang.cuda.texture;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.SharedNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reports texture and surface objects in integer arithmetic, and variables of one kind that hold
 * objects of the other kind: CUDA's objects are integers, HIP's are pointers of different types.
 */
public final class TextureObjectPass {
  static final String RULE = "TEXTURE-OBJECT-BITS";
  static final String TYPE = "TEXTURE-OBJECT-TYPE";

  /** Calls whose first argument is a texture object, or its address. */
  private static final List<String> CALLS =
      List.of(
          "cudaCreateTextureObject",
          "cudaDestroyTextureObject",
          "cuTexObjectCreate",
          "cuTexObjectDestroy");

  private static final List<String> TYPES =
      List.of("cudaTextureObject_t", "cudaSurfaceObject_t", "CUtexObject", "CUsurfObject");

  private final CudaFile f;
  private final Tokens t;
  private final Set<String> names = new HashSet<>();

  private TextureObjectPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (f.t.mentions(TYPES)) {
      new TextureObjectPass(f).uses();
    }
    if (!f.project.shared().isEmpty() && f.t.mentions(CALLS)) {
      new TextureObjectPass(f).calls();
    }
  }

  /** Reports texture objects in variables that are only declared as surface objects. */
  private void calls() {
    Set<String> textures = SharedNames.textures(t);
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !CALLS.contains(t.text(i)) || f.regions.isDead(i)) {
        continue;
      }
      int name = t.is(i + 1, '(') ? SharedNames.object(t, i + 2) : -1;
      if (name > 0
          && f.project.shared().contains(SharedNames.surface(t.text(name)))
          && !TextureVariablePass.isTexture(f, t.text(name))
          && !textures.contains(t.text(name))) {
        f.changes.finding(
            TYPE,
            Disposition.UNPORTED,
            t.start(name),
            t.end(name),
            t.text(name)
                + " holds a texture object, but is declared as a surface object: HIP's two types do"
                + " not convert");
      }
    }
  }

  private void uses() {
    for (int i = 0; i < t.count(); i++) {
      int name = t.is(i + 1, '&') ? i + 2 : i + 1;
      if (isType(i) && t.isIdentifier(name) && !t.is(name + 1, '(')) {
        names.add(t.text(name));
      }
    }
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || f.regions.isDead(i)) {
        continue;
      }
      boolean cast = isType(i) && isCast(i);
      boolean operand = !cast && names.contains(t.text(i)) && isOperand(i, i + 1);
      if (operand || (cast && isOperand(i, operandEnd(i)))) {
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            t.start(i),
            t.end(i),
            t.text(i) + " is used in integer arithmetic, but is a pointer in HIP");
      }
    }
  }

  private boolean isType(int i) {
    return t.isIdentifier(i) && TYPES.contains(t.text(i));
  }

  private boolean isCast(int i) {
    return (t.is(i - 1, '(') && t.is(i + 1, ')'))
        || (t.is(i - 1, '<') && t.is(i - 2, "static_cast") && t.is(i + 1, '>'));
  }

  /** The token after what a cast converts, and after the brackets that close there. */
  private int operandEnd(int i) {
    int k = i + 2;
    while (t.isIdentifier(k)
        || t.kind(k) == Tokens.NUMBER
        || t.is(k, '.')
        || t.isPair(k, ':')
        || t.isPair(k, '-')
        || t.is(k, '(')
        || t.is(k, '[')) {
      k = t.after(k);
    }
    while (t.is(k, ')')) {
      k++;
    }
    return k;
  }

  /** True if an operator on integers follows the operand, or comes before it. */
  private boolean isOperand(int first, int end) {
    boolean shift =
        (t.is(end, '<') || t.is(end, '>'))
            && t.is(end + 1, t.text(end))
            && t.touches(end)
            && !t.is(first - 1, '<')
            && !t.is(end + 2, t.text(end));
    return shift
        || t.is(end, '^')
        || t.is(end, '%')
        || (isSingle(end) && (t.is(end, '&') || t.is(end, '|')))
        || (t.is(first - 1, '|') && !t.is(first - 2, '|'));
  }

  private boolean isSingle(int i) {
    return !t.is(i + 1, t.text(i)) || !t.touches(i);
  }
}
