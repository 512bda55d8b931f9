package dev.rocport.verify;

import dev.rocport.core.result.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A line of a source.
 *
 * @param path of the file, as it is shown; of the program where no line is known
 * @param line 1-based; 0 where none is known
 * @param file the file itself, which may be gone
 * @param original the line of the CUDA source that it was ported from
 * @param newer whether the file has changed since the program was built, so that the line may have
 *     moved
 */
record SourcePlace(
    String path, int line, Path file, Optional<OriginalPlace> original, boolean newer) {
  private static final int MOST_BYTES = 16 << 20;

  /** What else is known of the place, in words to follow it, each part after {@code mark}. */
  String notes(String mark) {
    return original.map(o -> mark + "ported from " + o).orElse("")
        + (newer ? mark + "newer than the program: the line may have moved" : "");
  }

  /** The text of the line, if the file is still there; else empty. */
  String snippet() throws IOException {
    List<String> texts = texts(line, 1);
    String text = texts.isEmpty() ? "" : texts.getFirst().strip();
    return text.substring(0, Math.min(text.length(), Finding.LONGEST_SNIPPET));
  }

  /**
   * The line, the one before and the one after, each with its number; the line itself is marked.
   * None if the file is gone.
   */
  List<String> excerpt() throws IOException {
    return Excerpt.of(texts(Excerpt.first(line), 2 * Excerpt.AROUND + 1), line);
  }

  private List<String> texts(int first, int count) throws IOException {
    if (line == 0 || !Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.skip(first - 1L).limit(count).toList();
    }
  }
}
