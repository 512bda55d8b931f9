package dev.rocport.buildsystem.cmake;

import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A CMake file as commands over its bytes.
 *
 * @param text its bytes, one character each, so that offsets are those of the file
 */
public record CMakeFile(SourceFile source, String text, List<CMakeCommand> commands) {
  public CMakeFile {
    commands = List.copyOf(commands);
  }

  /** Parses a file; empty if it is not in the CMake language. */
  static Optional<CMakeFile> of(SourceFile source) {
    String text = new String(source.bytes(), StandardCharsets.ISO_8859_1);
    return CMakeCommand.of(text).map(commands -> new CMakeFile(source, text, commands));
  }

  /** Returns the folder of the file with a slash at the end; empty for the root of the tree. */
  String folder() {
    return source.path().substring(0, source.path().lastIndexOf('/') + 1);
  }

  /** Returns the indentation of the line of a command. */
  String indentation(CMakeCommand c) {
    int start = source.lineStart(source.line(c.start()));
    int end = start;
    while (end < c.start() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
      end++;
    }
    return text.substring(start, end);
  }

  /**
   * Returns the offset for lines after a command: after its line if only a comment follows, else
   * after the command.
   */
  int after(CMakeCommand c) {
    return endsLine(c) ? source.lineEnd(source.line(c.end() - 1)) : c.end();
  }

  private boolean endsLine(CMakeCommand c) {
    String rest = text.substring(c.end(), source.lineEnd(source.line(c.end() - 1))).strip();
    return rest.isEmpty() || (rest.startsWith("#") && !rest.startsWith("#["));
  }

  /**
   * Returns the span from one command to another, including whole lines if nothing else is on them.
   */
  int[] lines(CMakeCommand first, CMakeCommand last) {
    int line = source.lineStart(source.line(first.start()));
    if (!text.substring(line, first.start()).isBlank() || !endsLine(last)) {
      return new int[] {first.start(), last.end()};
    }
    int next = source.line(last.end() - 1) + 1;
    return new int[] {line, next <= source.lines() ? source.lineStart(next) : source.length()};
  }
}
