package dev.rocport.lang.cuda.texture;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.SharedNames;

/**
 * Declares variables and members as texture objects that calls use as such, and that are declared
 * as surface objects: one type in CUDA, two in HIP.
 */
public final class TextureVariablePass {
  private static final String RULE = "TEXTURE-OBJECT-VARIABLE";

  private TextureVariablePass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    if (f.project.shared().isEmpty() || !f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < t.count(); i++) {
      int name =
          SharedNames.isSurfaceType(t, i) && !f.regions.isDead(i) && !t.inDirective(i)
              ? SharedNames.variable(t, i)
              : -1;
      if (name > 0 && isTexture(f, t.text(name))) {
        f.dropped.add(i);
        f.needsRuntime = true;
        f.changes.edit(Edit.replace(t.start(i), t.end(i), "hipTextureObject_t", RULE));
        f.changes.finding(
            RULE,
            Disposition.PORTED,
            t.start(i),
            t.end(name),
            t.text(name) + " holds a texture object, and becomes a hipTextureObject_t");
      }
    }
  }

  /** Whether all uses of a name in the project are those of a texture object. */
  static boolean isTexture(CudaFile f, String name) {
    return f.changes.allows(RULE)
        && f.project.shared().contains(SharedNames.textureObject(name))
        && !f.project.shared().contains(SharedNames.surfaceObject(name));
  }
}
