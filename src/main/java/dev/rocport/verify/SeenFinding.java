package dev.rocport.verify;

import dev.rocport.device.check.Certainty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A finding as the device has written it.
 *
 * @param check {@code race} and so on
 * @param certain false if the machine code does not show whether this is a defect
 * @param benign whether it is a note, and no defect
 * @param place file and line, or the place in the code object
 * @param others the same of the other places
 * @param source file and line; empty where no line is known
 * @param sources all lines that take part, without repetition
 * @param advice what to do; may be empty
 */
record SeenFinding(
    String check,
    boolean certain,
    boolean benign,
    String title,
    String place,
    List<String> others,
    String source,
    List<String> sources,
    String advice) {
  private static final String CHECK = "check";

  /** What a file of findings says of defects: all but the notes. */
  static List<SeenFinding> defects(Path file) throws IOException {
    return read(file).stream().filter(f -> !f.benign()).toList();
  }

  /** Reads a file of findings, one line of JSON each; none if the file does not exist. */
  static List<SeenFinding> read(Path file) throws IOException {
    return lines(file).stream().filter(n -> n.has(CHECK)).map(SeenFinding::of).toList();
  }

  /** The lines of a file of findings; none if the file does not exist. */
  static List<JsonNode> lines(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream().map(JsonMapper.shared()::readTree).toList();
  }

  private static SeenFinding of(JsonNode f) {
    JsonNode others = f.path("others");
    return new SeenFinding(
        f.path(CHECK).asString(),
        f.path("certain").asBoolean(),
        f.path("benign").asBoolean(false),
        f.path("title").asString(),
        place(f.path("site")),
        others.valueStream().map(SeenFinding::place).toList(),
        f.path("site").path("source").asString(),
        Stream.concat(Stream.of(f.path("site")), others.valueStream())
            .map(s -> s.path("source").asString())
            .filter(s -> !s.isEmpty())
            .distinct()
            .toList(),
        f.path("do").asString());
  }

  /** What makes two findings the same one: which of two accesses came first does not matter. */
  String key() {
    List<String> places = Stream.concat(Stream.of(place), others.stream()).sorted().toList();
    return "%s %s %s %s".formatted(word(), check, title, places);
  }

  /** The second place, or empty. */
  String other() {
    return others.isEmpty() ? "" : others.getFirst();
  }

  private String word() {
    return (benign ? Certainty.BENIGN : Certainty.of(certain)).word();
  }

  /** The line of a place, or where it is in the code object. */
  static String place(JsonNode site) {
    String source = site.path("source").asString();
    long pc = site.path("pc").asLong();
    return !source.isEmpty()
        ? source
        : pc < 0 ? "the host" : "pc 0x%x of %s".formatted(pc, site.path("kernel").asString());
  }

  @Override
  public String toString() {
    return "%s%s at %s%s: %s"
        .formatted(word(), check, place, others.isEmpty() ? "" : " and " + other(), title);
  }
}
