package dev.rocport.cli.option;

import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON schema of {@code .rocport.yaml}. */
public final class ConfigSchema {
  private static final String FILE = "rocport-yaml.schema.json";

  private ConfigSchema() {}

  /**
   * Returns the schema, in which a value that names rules must be one of their ids, or a pattern.
   * An editor completes such a value.
   */
  public static String of(RuleCatalog catalog) {
    JsonMapper mapper = JsonMapper.shared();
    JsonNode schema;
    try (InputStream in = ConfigSchema.class.getResourceAsStream(FILE)) {
      schema = mapper.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    TreeSet<String> ids = new TreeSet<>();
    TreeSet<String> families = new TreeSet<>();
    for (Rule rule : catalog.rules()) {
      ids.add(rule.id());
      families.add(rule.family());
    }
    name(schema.at("/$defs/rule"), ids);
    name(schema.at("/$defs/family"), families);
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(schema);
  }

  /** Lists the values of a definition. */
  private static void name(JsonNode definition, Iterable<String> values) {
    ArrayNode choices = ((ObjectNode) definition).putArray("anyOf");
    ArrayNode listed = choices.addObject().putArray("enum");
    values.forEach(listed::add);
    choices.addObject().put("pattern", "[*,]");
  }
}
