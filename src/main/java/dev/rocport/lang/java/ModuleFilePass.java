package dev.rocport.lang.java;

import java.util.regex.Pattern;

/** Reports names of files with code for NVIDIA GPUs. */
final class ModuleFilePass {
  static final String RULE = "JAVA-MODULE-FILE";

  private static final Pattern NAME = Pattern.compile("[^\\s\"*?]*\\.(ptx|cubin|fatbin)");

  private final JavaWork w;

  ModuleFilePass(JavaWork w) {
    this.w = w;
  }

  void run() {
    for (JavaString s : w.strings()) {
      String said = s.said().replace('\ufffc', '_');
      if (NAME.matcher(said).matches() && w.take(s)) {
        w.warn(RULE, s.start(), s.end(), said + ": ROCm loads code objects, not this format");
      }
    }
  }
}
