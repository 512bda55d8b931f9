package dev.rocport.buildsystem.shared;

import dev.rocport.buildsystem.shared.BuildGate.Mark;
import dev.rocport.core.source.SourceFile;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** Gates whose only permitted content is what a port writes. */
public final class WrittenGates {
  private WrittenGates() {}

  /**
   * Returns the content of a file's gates that a port does not write; empty if there is none.
   *
   * @param marks role of each line, counted from 1
   * @param written matches what a port writes between the marks, with line feeds
   * @param head whether a gate may begin at a line
   */
  public static Optional<String> leak(
      SourceFile file, IntFunction<Mark> marks, Pattern written, IntPredicate head) {
    StringBuilder inside = new StringBuilder();
    for (int line = 1; line <= file.lines(); line++) {
      Mark mark = marks.apply(line);
      if (mark == Mark.BEGIN) {
        inside.setLength(0);
        if (!head.test(line)) {
          return Optional.of("line " + line + ": the gate is not at the start of the file");
        }
      } else if (mark != Mark.NONE && !written.matcher(inside).matches()) {
        return Optional.of("the gate that ends on line " + line + " was not written by rocport");
      } else {
        inside.append(file.text(file.lineStart(line), file.lineEnd(line))).append('\n');
      }
    }
    return Optional.empty();
  }
}
