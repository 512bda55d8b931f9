package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.util.Optional;
import java.util.function.IntFunction;

/** The form of a {@link BuildGate} in files of one language. */
public interface GateLanguage {
  /** Returns true for paths of files in this language. */
  boolean serves(String path);

  /** Returns the word that begins a comment; {@code #} unless the language has another. */
  default String comment() {
    return "#";
  }

  /**
   * Returns the content of a file's gates that takes effect with ROCm off; empty if there is none.
   *
   * @param marks role of each line, counted from 1
   */
  Optional<String> leak(SourceFile file, IntFunction<BuildGate.Mark> marks);
}
