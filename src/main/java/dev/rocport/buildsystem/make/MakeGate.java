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

/**
 * The gates of a makefile: one at its head, where it hands over to its twin, and one at its end.
 */
final class MakeGate implements GateLanguage {
  static final BuildGate GATE = new BuildGate(new MakeGate());

  /** All that may stand in the first gate of a makefile, and in its second and last. */
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

  @Override
  public String comment() {
    return "#";
  }

  /** A makefile has two gates: one at its head, where it hands over to its twin, and one behind. */
  @Override
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    int gates = 0;
    boolean inside = false;
    StringBuilder text = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      Mark mark = marks.apply(line);
      String all = file.text(file.lineStart(line), file.lineEnd(line));
      if (mark == Mark.BEGIN) {
        text.setLength(0);
        inside = true;
        gates++;
      } else if (mark != Mark.NONE) {
        inside = false;
        if (gates > GATED.size() || !GATED.get(gates - 1).matcher(text).matches()) {
          return Optional.of("the gate that ends in line " + line + " is not one of the port's");
        }
      } else if (inside) {
        text.append(all).append('\n');
      } else if (!all.isEmpty() && ((gates == 0 && !all.startsWith("#!")) || gates == 2)) {
        return Optional.of("line " + line + " stands outside of the gates");
      }
    }
    return gates == 1 ? Optional.of("the condition on ROCm is never closed") : Optional.empty();
  }
}
