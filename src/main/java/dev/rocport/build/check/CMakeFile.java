package dev.rocport.build.check;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A CMake file.
 *
 * @param commands in order; their offsets are those in the bytes of the source
 */
record CMakeFile(SourceFile source, List<CMakeCommand> commands) {
  CMakeFile {
    commands = List.copyOf(commands);
  }

  /**
   * Returns a file; empty if its commands cannot be read.
   *
   * @param text its bytes as ISO 8859-1
   */
  static Optional<CMakeFile> of(String path, String text) {
    return CMakeCommand.of(text)
        .map(
            c ->
                new CMakeFile(new SourceFile(path, text.getBytes(StandardCharsets.ISO_8859_1)), c));
  }

  String path() {
    return source.path();
  }

  /** Returns the place of a command, such as {@code CMakeLists.txt:9}. */
  String place(CMakeCommand c) {
    return path() + ":" + source.line(c.start());
  }
}
