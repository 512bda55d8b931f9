package dev.rocport.verify;

import dev.rocport.device.check.Coverage;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** What the checks of runs have looked at, as the device has written it. */
final class Covered {
  private static final String NAME = "coverage";

  private Covered() {}

  /** That of all processes of a run; nothing if the file does not exist. */
  static Coverage read(Path file) throws IOException {
    return SeenFinding.lines(file).stream()
        .map(line -> line.path(NAME))
        .filter(JsonNode::isObject)
        .map(
            c ->
                new Coverage(
                    c.path("launches").asLong(),
                    c.path("refused").asLong(),
                    c.path("pairs").asLong(),
                    c.path("late").asLong()))
        .reduce(Coverage.NONE, Coverage::plus);
  }

  /** Whether a file has any: a program has come to its end on the device. */
  static boolean isIn(Path file) throws IOException {
    return SeenFinding.lines(file).stream().anyMatch(line -> line.path(NAME).isObject());
  }

  /** In words, for some runs together. */
  static String words(Coverage all, int runs) {
    return "%d %s with checks: %d pairs of accesses compared, %d accesses and commands delayed"
        .formatted(runs, runs == 1 ? "run" : "runs", all.pairs(), all.late());
  }
}
