package dev.rocport.cli.option;

import dev.rocport.assess.SuppressionFile;
import dev.rocport.cli.support.EnumLabels;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.PathText;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * The options in {@code .rocport.yaml} in a tree's root, by their names without dashes. The command
 * line takes precedence; lists are joined.
 */
public final class ProjectConfig {
  /** What each key holds. */
  private enum Value {
    TEXT,
    LIST,
    FLAG,
    FOLDER,
    /** Read by somebody else. */
    OTHER
  }

  private static final SortedMap<String, Value> KEYS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("include", Value.LIST),
              Map.entry("exclude", Value.LIST),
              Map.entry("only", Value.LIST),
              Map.entry("skip", Value.LIST),
              Map.entry("launch", Value.TEXT),
              Map.entry("libs", Value.TEXT),
              Map.entry("style", Value.TEXT),
              Map.entry("warp", Value.TEXT),
              Map.entry("hip", Value.TEXT),
              Map.entry("jobs", Value.TEXT),
              Map.entry("max-file", Value.TEXT),
              Map.entry("fail-on", Value.TEXT),
              Map.entry("rename-sources", Value.FLAG),
              Map.entry("rules", Value.FOLDER),
              Map.entry("gate", Value.OTHER),
              Map.entry("suppress", Value.OTHER)));

  private final Path file;
  private final List<String> args = new ArrayList<>();

  private ProjectConfig(Path file) {
    this.file = file;
  }

  /** The names of all entries. */
  public static Set<String> keys() {
    return Collections.unmodifiableSet(KEYS.keySet());
  }

  /**
   * Parses a command line again with the tree's configuration before it.
   *
   * @param command a fresh command
   * @param root the tree's root
   * @param args the command's own arguments
   * @return whether there is a configuration; if not, {@code command} was left as it is
   * @throws UsageException if the configuration makes no sense
   */
  public static boolean apply(Object command, Path root, List<String> args) {
    Path file = root.resolve(SuppressionFile.NAME);
    if (!Files.isRegularFile(file)) {
      return false;
    }
    ProjectConfig config = new ProjectConfig(file);
    config.read();
    List<String> all = new ArrayList<>(config.args);
    all.addAll(args);
    try {
      EnumLabels.on(new CommandLine(command))
          .setOverwrittenOptionsAllowed(true)
          .parseArgs(all.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new UsageException(file + ": " + e.getMessage());
    }
    return true;
  }

  /** The arguments after the command's name on the command line. */
  public static List<String> argsOf(CommandSpec spec) {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    return all.subList(all.indexOf(spec.name()) + 1, all.size());
  }

  private void read() {
    try {
      YamlFile.read(file);
      options();
    } catch (IOException e) {
      throw new UsageException(file + ": " + SourceTree.reason(e));
    }
  }

  private void options() throws IOException {
    try (JsonParser in =
        new YAMLFactory().createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
      JsonToken first = in.nextToken();
      if (first == null) {
        return; // an empty file
      }
      if (first != JsonToken.START_OBJECT) {
        throw wrong(in, "must be a list of options, such as 'launch: ggl'");
      }
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        entry(in);
      }
    }
  }

  private void entry(JsonParser in) {
    String key = in.currentName();
    Value value = KEYS.get(key);
    if (value == null) {
      throw wrong(
          in, "unknown option '" + key + "'; the options are " + String.join(", ", KEYS.keySet()));
    }
    in.nextToken();
    switch (value) {
      case TEXT -> args.add("--" + key + "=" + scalar(in, key));
      case FOLDER -> args.add("--" + key + "=" + folder(in, key));
      case FLAG -> {
        if (in.currentToken() != JsonToken.VALUE_TRUE
            && in.currentToken() != JsonToken.VALUE_FALSE) {
          throw wrong(in, "'" + key + "' must be true or false");
        }
        if (in.currentToken() == JsonToken.VALUE_TRUE) {
          args.add("--" + key);
        }
      }
      case LIST -> list(in, key);
      case OTHER -> in.skipChildren();
    }
  }

  private void list(JsonParser in, String key) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      args.add("--" + key + "=" + scalar(in, key));
      return;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      args.add("--" + key + "=" + scalar(in, key));
    }
  }

  private String scalar(JsonParser in, String key) {
    if (!in.currentToken().isScalarValue() || in.currentToken() == JsonToken.VALUE_NULL) {
      throw wrong(in, "'" + key + "' needs a value");
    }
    return in.getString();
  }

  private Path folder(JsonParser in, String key) {
    return PathText.named(file.resolveSibling(""), scalar(in, key))
        .orElseThrow(() -> wrong(in, "'" + key + "' cannot be the name of a folder"));
  }

  private UsageException wrong(JsonParser in, String message) {
    return new UsageException(file + ":" + in.currentTokenLocation().getLineNr() + ": " + message);
  }
}
