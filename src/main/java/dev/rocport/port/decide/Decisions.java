package dev.rocport.port.decide;

import dev.rocport.io.AtomicFile;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.LockFile;
import dev.rocport.io.Sha256;
import dev.rocport.io.UserFolders;
import dev.rocport.io.YamlFile;
import dev.rocport.port.decide.Decision.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The decisions about the port of a tree, in {@code .rocport/decisions.yaml} in its root. */
public final class Decisions {
  /** Name of the file, relative to the root of the tree. */
  public static final String NAME = ".rocport/decisions.yaml";

  private static final String HEAD =
      "# Decisions about changes of a port (rocport port --interactive). Keep this file under"
          + " version control.\n";
  private static final Set<String> FIELDS =
      Set.of("id", "do", "scope", "rules", "change", "path", "line", "text", "reason", "by", "on");

  private final Map<String, Decision> byId = new LinkedHashMap<>();

  /**
   * Reads the decisions of a tree; none if there is no file.
   *
   * @throws InvalidFileException if the file is invalid; the message names the line
   * @throws IOException if it cannot be read
   */
  public static Decisions read(Path root) throws IOException {
    Decisions decisions = new Decisions();
    Path file = root.resolve(NAME);
    if (Files.exists(file)) {
      YamlFile.read(file);
      decisions.parse(file);
    }
    return decisions;
  }

  /** Returns no decisions. */
  public static Decisions none() {
    return new Decisions();
  }

  /** Returns all decisions, in the order in which they were made. */
  public Collection<Decision> all() {
    return Collections.unmodifiableCollection(byId.values());
  }

  /** Returns whether some decision changes what a port writes. */
  public boolean isEmpty() {
    return byId.values().stream().allMatch(d -> d.action() == Action.ACCEPT);
  }

  /** Adds a decision, in place of an earlier one about the same change. */
  public void add(Decision decision) {
    byId.remove(decision.id());
    byId.put(decision.id(), decision);
  }

  /**
   * Adds decisions to the file of a tree, which others may have changed since it was read, and
   * takes over what it holds.
   *
   * @throws InvalidFileException if the file has become invalid; it stays as it is
   */
  public void keep(Path root, List<Decision> made) throws IOException {
    keep(root, made, UserFolders.cache(System.getenv()).resolve("locks"));
  }

  /**
   * The same.
   *
   * @param locks folder of the locks of writers
   */
  void keep(Path root, List<Decision> made, Path locks) throws IOException {
    try (LockFile _ = DecisionsLock.acquire(locks, root)) {
      Decisions now = read(root);
      made.forEach(now::add);
      now.write(root);
      byId.clear();
      byId.putAll(now.byId);
    }
  }

  /** Returns the decision about a change: one about this place, or one about all equal changes. */
  public Optional<Decision> about(Item item) {
    Decision here = byId.get(item.id());
    if (here != null && !here.always()) {
      return Optional.of(here);
    }
    return Optional.ofNullable(byId.get(item.group())).filter(Decision::always);
  }

  /** Returns 16 hex digits that identify what a port does with these decisions. */
  public String key() {
    StringBuilder text = new StringBuilder();
    for (Decision d : byId.values()) {
      if (d.action() != Action.ACCEPT) {
        text.append(d.id()).append(d.action()).append(d.always()).append(d.text()).append('\n');
      }
    }
    return Sha256.fingerprint(text.toString());
  }

  /** Writes the file of a tree. */
  public void write(Path root) throws IOException {
    YAMLMapper mapper = new YAMLMapper();
    ObjectNode document = mapper.createObjectNode();
    ArrayNode list = document.putArray("decisions");
    for (Decision d : byId.values()) {
      ObjectNode entry = list.addObject();
      entry.put("id", d.id());
      entry.put("do", d.action().label());
      entry.put("scope", d.always() ? "all" : "place");
      entry.put("rules", d.rules());
      entry.put("change", d.change());
      if (!d.always()) {
        entry.put("path", d.path());
        entry.put("line", d.line());
      }
      if (d.action() == Action.EDIT) {
        entry.put("text", d.text());
      }
      if (d.action() != Action.ACCEPT) {
        entry.put("reason", d.reason());
      }
      entry.put("by", d.by());
      entry.put("on", d.on());
    }
    String text = mapper.writeValueAsString(document).replaceFirst("^---\\n", "");
    AtomicFile.write(root.resolve(NAME), out -> out.write(HEAD + text));
  }

  private void parse(Path file) throws IOException {
    try (JsonParser in =
        new YAMLFactory().createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
      if (in.nextToken() == null) {
        return; // an empty file
      }
      if (in.currentToken() != JsonToken.START_OBJECT
          || in.nextToken() != JsonToken.PROPERTY_NAME
          || !in.currentName().equals("decisions")
          || in.nextToken() != JsonToken.START_ARRAY) {
        throw wrong(file, line(in), "must have one entry 'decisions' with a list");
      }
      while (in.nextToken() == JsonToken.START_OBJECT) {
        entry(file, in);
      }
      if (in.currentToken() != JsonToken.END_ARRAY) {
        throw wrong(file, line(in), "a decision must be a mapping with 'id' and 'do'");
      }
      if (in.nextToken() != JsonToken.END_OBJECT) {
        throw wrong(file, line(in), "must have no entry beside 'decisions'");
      }
    }
  }

  private void entry(Path file, JsonParser in) {
    int start = line(in);
    Map<String, String> fields = new HashMap<>();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      if (!FIELDS.contains(name)) {
        throw wrong(file, line(in), "unknown field '" + name + "'");
      }
      if (!in.nextToken().isScalarValue()) {
        throw wrong(file, line(in), "'" + name + "' must be a text");
      }
      fields.put(name, in.getString());
    }
    String id = fields.getOrDefault("id", "");
    if (!id.matches("[0-9a-f]{16}")) {
      throw wrong(file, start, "a decision needs an 'id' of 16 hexadecimal digits");
    }
    Action action = action(file, start, fields.getOrDefault("do", ""));
    String scope = fields.getOrDefault("scope", "place");
    if (!scope.equals("place") && !scope.equals("all")) {
      throw wrong(file, start, "'scope' must be place or all, not '" + scope + "'");
    }
    if (action == Action.EDIT && (!fields.containsKey("text") || scope.equals("all"))) {
      throw wrong(file, start, "'do: edit' needs a 'text' and the scope 'place'");
    }
    String reason = fields.getOrDefault("reason", "").strip();
    if (action != Action.ACCEPT && reason.isEmpty()) {
      throw wrong(file, start, "'do: " + action.label() + "' needs a 'reason'");
    }
    String line = fields.getOrDefault("line", "0");
    if (!line.matches("[0-9]{1,9}")) {
      throw wrong(file, start, "'line' must be a number, not '" + line + "'");
    }
    Decision decision =
        new Decision(
            id,
            action,
            scope.equals("all"),
            fields.getOrDefault("rules", ""),
            fields.getOrDefault("change", ""),
            fields.getOrDefault("path", ""),
            Integer.parseInt(line),
            fields.getOrDefault("text", ""),
            reason,
            fields.getOrDefault("by", "somebody"),
            fields.getOrDefault("on", "an unknown day"));
    if (byId.put(id, decision) != null) {
      throw wrong(file, start, "a second decision has the id " + id);
    }
  }

  private static Action action(Path file, int line, String text) {
    for (Action action : Action.values()) {
      if (action.label().equals(text)) {
        return action;
      }
    }
    throw wrong(file, line, "'do' must be accept, skip or edit, not '" + text + "'");
  }

  private static int line(JsonParser in) {
    return in.currentTokenLocation().getLineNr();
  }

  private static InvalidFileException wrong(Path file, int line, String message) {
    return new InvalidFileException(file + ":" + line + ": " + message);
  }
}
