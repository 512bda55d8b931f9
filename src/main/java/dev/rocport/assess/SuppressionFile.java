package dev.rocport.assess;

import dev.rocport.core.source.Globs;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The entry {@code suppress} of {@code .rocport.yaml}: a list of {@code rule} (an id, in which
 * {@code *} matches any characters), {@code path} (a glob; default: every file) and {@code reason}.
 */
public final class SuppressionFile {
  /** Name of the configuration in the root of a tree. */
  public static final String NAME = ".rocport.yaml";

  private static final Set<String> FIELDS = Set.of("rule", "path", "reason");

  private SuppressionFile() {}

  /**
   * Returns the suppressions of a tree; none if its root has no configuration.
   *
   * @throws IOException if the file cannot be read or is invalid; the message says why
   */
  public static List<Suppression> read(Path root) throws IOException {
    Path file = root.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    JsonNode entries;
    try {
      entries = YamlFile.read(file).get("suppress");
    } catch (InvalidFileException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (entries == null || entries.isNull()) {
      return List.of();
    }
    if (!entries.isArray()) {
      throw new IOException(
          file + ": 'suppress' must be a list of entries with 'rule', 'path' and 'reason'");
    }
    List<Suppression> list = new ArrayList<>();
    for (JsonNode e : entries) {
      list.add(entry(file, e, list.size() + 1));
    }
    return List.copyOf(list);
  }

  private static Suppression entry(Path file, JsonNode node, int number) throws IOException {
    String where = file + ": suppress entry " + number;
    for (String field : node.propertyNames()) {
      if (!FIELDS.contains(field)) {
        throw new IOException(where + ": unknown field '" + field + "'");
      }
    }
    String rule = text(node, "rule", where);
    if (rule.isEmpty()) {
      throw new IOException(where + ": needs 'rule'");
    }
    String glob = node.has("path") ? text(node, "path", where) : "**";
    String reason = text(node, "reason", where);
    try {
      Globs files = Globs.of(List.of(glob));
      return new Suppression(rule, glob, files::matches, reason, NAME, number);
    } catch (IllegalArgumentException e) {
      throw new IOException(where + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the text of a field; empty if it is missing.
   *
   * @param where the place in the file, for the message
   * @throws IOException if the field holds a list or fields
   */
  static String text(JsonNode node, String field, String where) throws IOException {
    JsonNode v = node.get(field);
    if (v == null || v.isNull()) {
      return "";
    }
    if (v.isContainer()) {
      throw new IOException(where + ": '" + field + "' must be a string");
    }
    return v.asString().strip();
  }
}
