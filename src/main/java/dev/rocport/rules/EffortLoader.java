package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads {@code effort.yaml}. */
final class EffortLoader {
  private static final Set<String> CLASSES =
      Set.of("", "trivial", "small", "medium", "large", "research");
  private static final Set<String> DISPOSITIONS = Set.of("ported", "review", "unported", "*");

  private final Path file;

  EffortLoader(Path file) {
    this.file = file;
  }

  EffortTable read(JsonNode root) {
    only(root, Set.of("edits_per_minute", "classes", "weights"));
    List<EffortTable.Weight> weights = new ArrayList<>();
    if (root.has("weights")) {
      for (JsonNode node : root.get("weights")) {
        weights.add(weight(node));
      }
    }
    if (!root.has("classes")) {
      return new EffortTable(0, 0, 0, 0, 0, weights);
    }
    JsonNode limits = root.get("classes");
    only(limits, Set.of("trivial", "small", "medium", "large"));
    EffortTable table =
        new EffortTable(
            minutes(root, "edits_per_minute"),
            minutes(limits, "trivial"),
            minutes(limits, "small"),
            minutes(limits, "medium"),
            minutes(limits, "large"),
            weights);
    boolean ordered =
        table.trivial() < table.small()
            && table.small() < table.medium()
            && table.medium() < table.large();
    if (table.editsPerMinute() < 1 || !ordered) {
      throw new InvalidFileException(
          file + ": classes must increase, and edits_per_minute must be 1 or more");
    }
    return table;
  }

  private EffortTable.Weight weight(JsonNode node) {
    only(node, Set.of("rule", "disposition", "first", "again", "once", "at_least", "why"));
    EffortTable.Weight w =
        new EffortTable.Weight(
            text(node, "rule"),
            text(node, "disposition"),
            minutes(node, "first"),
            minutes(node, "again"),
            minutes(node, "once"),
            text(node, "at_least"),
            text(node, "why"));
    if (w.rule().isEmpty() || w.why().isBlank()) {
      throw new InvalidFileException(file + ": a weight needs 'rule' and 'why': " + node);
    }
    if (!DISPOSITIONS.contains(w.disposition()) || !CLASSES.contains(w.atLeast())) {
      throw new InvalidFileException(file + ": no such disposition or class: " + node);
    }
    return w;
  }

  private void only(JsonNode node, Set<String> fields) {
    for (String field : node.propertyNames()) {
      if (!fields.contains(field)) {
        throw new InvalidFileException(file + ": unknown field '" + field + "'");
      }
    }
  }

  private int minutes(JsonNode node, String field) {
    JsonNode v = node.get(field);
    if (v == null) {
      return 0;
    }
    if (!v.isInt() || v.asInt() < 0) {
      throw new InvalidFileException(file + ": '" + field + "' is not a number of minutes: " + v);
    }
    return v.asInt();
  }

  private static String text(JsonNode node, String field) {
    JsonNode v = node.get(field);
    return v == null || v.isNull() ? "" : v.asString();
  }
}
