package dev.rocport.cuda;

import dev.rocport.report.Disposition;

/** Finds texture and surface references, {@code texture<float, 2> t;}, which CUDA 12 dropped. */
final class TextureReferencePass {
  static final String RULE = "TEXTURE-REFERENCE";

  private TextureReferencePass() {}

  static void run(CudaFile f) {
    Tokens t = f.t;
    for (int i = 0; i + 1 < t.count(); i++) {
      boolean word = t.is(i, "texture") || t.is(i, "surface");
      if (!word || !t.is(i + 1, '<') || f.isQualified(i) || f.isOwn(t.text(i))) {
        continue;
      }
      int end = i + 2;
      while (end < t.count() && !t.is(end, ';') && !t.is(end, '{') && !t.is(end, '(')) {
        end++;
      }
      if (t.is(end, ';') && t.isIdentifier(end - 1) && !f.regions.isDead(i)) {
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            t.start(i),
            t.end(end),
            t.text(i) + " reference " + t.text(end - 1));
      }
    }
  }
}
