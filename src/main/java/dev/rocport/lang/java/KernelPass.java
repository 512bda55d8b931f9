package dev.rocport.lang.java;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.embedded.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ports kernel source in literals, text blocks, and concatenations of them. */
final class KernelPass {
  static final String RULE = "JAVA-KERNEL";

  private final JavaWork w;

  KernelPass(JavaWork w) {
    this.w = w;
  }

  void run() {
    for (JavaString s : w.strings()) {
      if (isKernel(s.said()) && w.take(s)) {
        kernel(s);
      } else if (!w.isTaken(s) && w.ptx().module(s.text(), "a string")) {
        w.take(s);
      }
    }
  }

  private static boolean isKernel(String text) {
    return text.contains("__global__") || text.contains("__device__");
  }

  private void kernel(JavaString s) {
    if (!w.changes().allows(RULE)) {
      return;
    }
    Written written = new Written(w.file(), s);
    SourceFile source = written.source();
    Kernel kernel = w.cuda().portKernel(source, w.changes(), RULE);
    List<Edit> inner = new ArrayList<>(kernel.changes().edits().sorted());
    if (!kernel.shims().isEmpty()) {
      kernel.shims().forEach(h -> include(source, h, inner));
    }
    Optional<List<Edit>> edits = written.edits(inner);
    if (edits.isEmpty()) {
      w.error(
          RULE,
          s.start(),
          s.end(),
          "the kernel in this string is not ported: a change would remove text that is known only"
              + " at run time, or span two kinds of literals",
          "Write the kernel as one text block, and pass the variable parts as #define lines.");
      return;
    }
    w.changes().adopt(kernel.changes(), edits.get(), written);
    for (String shim : kernel.shims()) {
      w.changes().needsShim(shim);
      w.error(
          RULE,
          s.start(),
          s.end(),
          "the kernel in this string includes rocport/"
              + shim
              + ", which you must pass to hiprtcCreateProgram with the headers that it includes");
    }
  }

  /** Before the first nonblank line of the text. */
  private static void include(SourceFile source, String header, List<Edit> edits) {
    int line = 1;
    while (line < source.lines()
        && source.text(source.lineStart(line), source.lineEnd(line)).isBlank()) {
      line++;
    }
    String name = "#include \"rocport/" + header + "\"\n";
    if (!source.text(0, source.length()).contains(name.strip())) {
      edits.addFirst(Edit.before(source.lineStart(line), name, RULE));
    }
  }
}
