package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.buildsystem.shared.GateLanguage;
import dev.rocport.core.source.SourceFile;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** The gates of CMake files: each includes a twin. */
final class CMakeGate implements GateLanguage {
  static final BuildGate GATE = new BuildGate(new CMakeGate());

  /** The only permitted content of a gate: no effect if USE_ROCM is off. */
  private static final Pattern GATED =
      Pattern.compile(
          "(?:option\\(USE_ROCM \"[^\"]*\" OFF\\)\n)?if\\(USE_ROCM\\)\n"
              + "  include\\(\"\\$\\{CMAKE_CURRENT_LIST_DIR\\}/[\\w.-]+\\.rocm\\.cmake\""
              + "(?: NO_POLICY_SCOPE)?\\)\n  return\\(\\)\nendif\\(\\)\n");

  private CMakeGate() {}

  @Override
  public boolean serves(String path) {
    return BuildFileNames.isCMake(path);
  }

  @Override
  public String comment() {
    return "#";
  }

  @Override
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    StringBuilder inside = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      Mark mark = marks.apply(line);
      if (mark == Mark.BEGIN) {
        inside.setLength(0);
      } else if (mark != Mark.NONE && !GATED.matcher(inside).matches()) {
        return Optional.of("the gate that ends in line " + line + " was not written by rocport");
      } else {
        inside.append(file.text(file.lineStart(line), file.lineEnd(line))).append('\n');
      }
    }
    return Optional.empty();
  }
}
