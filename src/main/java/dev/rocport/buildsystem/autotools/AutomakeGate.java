package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.shared.BuildGate;
import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.buildsystem.shared.GateLanguage;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/** The gates of an automake file: conditionals on ROCm, and lines that do nothing without it. */
final class AutomakeGate implements GateLanguage {
  static final BuildGate GATE = new BuildGate(new AutomakeGate());

  /** Content that may be outside conditionals on ROCm, because it has no effect if ROCm is off. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "\\s*|#.*|[\\w.]+ \\+= (\\$\\(\\w*(ROCM|HIP)\\w*\\) ?)+|EXTRA_DIST \\+= [\\w./ -]+"
              + "|(AM_)?\\w*(ROCM|HIP)\\w* [+:]?=.*");

  private AutomakeGate() {}

  @Override
  public boolean serves(String path) {
    return path.toLowerCase(Locale.ROOT).endsWith(".am");
  }

  @Override
  public String comment() {
    return "##";
  }

  @Override
  public Optional<String> leak(SourceFile file, IntFunction<Mark> marks) {
    List<Boolean> open = new ArrayList<>();
    boolean inside = false;
    for (int line = 1; line <= file.lines(); line++) {
      String text = file.text(file.lineStart(line), file.lineEnd(line));
      Mark mark = marks.apply(line);
      if (mark != Mark.NONE) {
        inside = mark == Mark.BEGIN;
        continue;
      }
      if (!inside) {
        continue;
      }
      String word = text.strip();
      if (word.matches("if !?\\w*(ROCM|HIP)\\w*")) {
        open.add(!word.contains("!"));
      } else if (word.matches("if !?\\w+") && open.contains(true)) {
        open.add(true);
      } else if (word.matches("else( !?\\w+)?") && !open.isEmpty()) {
        open.set(
            open.size() - 1, !open.getLast() || open.subList(0, open.size() - 1).contains(true));
      } else if (word.matches("endif( !?\\w+)?") && !open.isEmpty()) {
        open.removeLast();
      } else if (!open.contains(true) && !HARMLESS.matcher(text).matches()) {
        return Optional.of("line " + line + " takes effect with ROCm off: " + word);
      }
    }
    return open.isEmpty() ? Optional.empty() : Optional.of("a conditional on ROCm is not closed");
  }
}
