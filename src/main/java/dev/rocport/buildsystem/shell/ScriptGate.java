package dev.rocport.buildsystem.shell;

import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.buildsystem.shared.GateLanguage;
import dev.rocport.buildsystem.shared.WrittenGates;
import dev.rocport.core.source.SourceFile;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** The gate of a shell script, at the head of the file. */
final class ScriptGate implements GateLanguage {
  static final BuildGate GATE = new BuildGate(new ScriptGate());

  /** The only permitted content of the gate. */
  private static final Pattern GATED =
      Pattern.compile(
          "if \\[ \"\\$\\{USE_ROCM:-0\\}\" = 1 \\]; then\\n"
              + "  \\. \"\\$\\(dirname \"\\$0\"\\)/[\\w.-]*rocm[\\w.-]*\"\\n  exit\\nfi\\n");

  private ScriptGate() {}

  @Override
  public boolean serves(String path) {
    return BuildFileNames.isShellScript(path);
  }

  /** Accepts one gate at the head of the script. */
  @Override
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    return WrittenGates.leak(
        file, marks, GATED, line -> line == 1 || (line == 2 && file.bytes()[0] == '#'));
  }
}
