package dev.rocport.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A finding as the device has written it.
 *
 * @param check {@code race} and so on
 * @param place file and line, or the place in the code object
 * @param other the second place, or empty
 * @param source file and line; empty where no line is known
 * @param advice what to do; may be empty
 */
record SeenFinding(
    String check,
    boolean certain,
    String title,
    String place,
    String other,
    String source,
    String advice) {
  /** Reads a file of findings, one line of JSON each; none if the file does not exist. */
  static List<SeenFinding> read(Path file) throws IOException {
    List<SeenFinding> findings = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        findings.add(of(JsonMapper.shared().readTree(line)));
      }
    }
    return findings;
  }

  private static SeenFinding of(JsonNode f) {
    JsonNode others = f.path("others");
    return new SeenFinding(
        f.path("check").asString(),
        f.path("certain").asBoolean(),
        f.path("title").asString(),
        place(f.path("site")),
        others.isEmpty() ? "" : place(others.path(0)),
        f.path("site").path("source").asString(),
        f.path("do").asString());
  }

  private static String place(JsonNode site) {
    String source = site.path("source").asString();
    return source.isEmpty()
        ? "pc 0x%x of %s".formatted(site.path("pc").asLong(), site.path("kernel").asString())
        : source;
  }

  @Override
  public String toString() {
    return "%s%s at %s%s: %s"
        .formatted(
            certain ? "" : "possible ",
            check,
            place,
            other.isEmpty() ? "" : " and " + other,
            title);
  }
}
