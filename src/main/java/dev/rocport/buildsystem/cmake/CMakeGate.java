package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.buildsystem.shared.GateLanguage;
import dev.rocport.buildsystem.shared.WrittenGates;
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
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    return WrittenGates.leak(file, marks, GATED, line -> true);
  }
}
