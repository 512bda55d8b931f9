package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import java.util.Optional;
import java.util.function.IntFunction;

/** How the gates of a {@link BuildGate} look in the files of one language. */
public interface GateLanguage {
  /** True for the files of this language, by their paths. */
  boolean serves(String path);

  /** The word that begins a comment that the tool drops. */
  String comment();

  /**
   * What stands in a file's gates and would count where ROCm is off; empty if nothing does.
   *
   * @param marks what a line, counted from 1, is to the gates
   */
  Optional<String> leak(SourceFile file, IntFunction<BuildGate.Mark> marks);
}
