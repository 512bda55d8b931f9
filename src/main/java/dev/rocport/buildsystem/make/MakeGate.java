package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.buildsystem.shared.GateLanguage;
import dev.rocport.core.source.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** The gates of a makefile: one at its head, which includes the twin, and one at its end. */
final class MakeGate implements GateLanguage {
  static final BuildGate GATE = new BuildGate(new MakeGate());

  /** The only permitted content of the first and of the second gate. */
  private static final List<Pattern> GATED =
      List.of(
          Pattern.compile(
              "ifeq \\(\\$\\(USE_ROCM\\),1\\)\n"
                  + "include \\$\\(dir \\$\\(lastword"
                  + " \\$\\(MAKEFILE_LIST\\)\\)\\)[\\w.-]*rocm[\\w.-]*\n"
                  + "else\n"),
          Pattern.compile("endif\n"));

  private MakeGate() {}

  @Override
  public boolean serves(String path) {
    return BuildFileNames.isMakefile(path);
  }

  /**
   * Accepts two gates: one at the head, which includes the twin, and one at the end. A makefile
   * without gates, which a port only reports about, has nothing to leak.
   */
  @Override
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    int gates = 0;
    int before = 0;
    boolean inside = false;
    StringBuilder text = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      Mark mark = marks.apply(line);
      String all = file.text(file.lineStart(line), file.lineEnd(line));
      if (mark == Mark.BEGIN) {
        if (before > 0) {
          return outside(before);
        }
        text.setLength(0);
        inside = true;
        gates++;
      } else if (mark != Mark.NONE) {
        inside = false;
        if (gates > GATED.size() || !GATED.get(gates - 1).matcher(text).matches()) {
          return Optional.of("the gate that ends on line " + line + " was not written by rocport");
        }
      } else if (inside) {
        text.append(all).append('\n');
      } else if (!all.isEmpty() && gates == 2) {
        return outside(line);
      } else if (!all.isEmpty() && gates == 0 && before == 0 && !all.startsWith("#!")) {
        before = line;
      }
    }
    return gates == 1
        ? Optional.of("the conditional that tests for ROCm has no endif")
        : Optional.empty();
  }

  private static Optional<String> outside(int line) {
    return Optional.of("line " + line + " is outside the gates");
  }
}
