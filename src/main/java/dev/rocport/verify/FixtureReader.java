package dev.rocport.verify;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.PathText;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Reads {@code fixture.yaml}; {@code docs/verification.md} describes its contents. */
final class FixtureReader {
  private static final Set<String> FIELDS =
      Set.of(
          "title",
          "features",
          "build",
          "std",
          "args",
          "libs",
          "program",
          "expect",
          "verify",
          "configure",
          "make",
          "warp");
  private static final Set<String> VERIFY =
      Set.of("profile", "time", "targets", "runs", "faults", "tensors", "checks");
  private static final Set<String> RUN =
      Set.of(
          "name",
          "program",
          "args",
          "np",
          "gpus",
          "environment",
          "preload",
          "exit",
          "stdout",
          "files",
          "tensors",
          "checks",
          "profile",
          "profiles",
          "terms",
          "time",
          "targets",
          "full");
  private static final Set<String> BUILDS =
      Set.of("plain", "make", "cmake", "autotools", "meson", "bazel", "python", "java", "script");
  private static final int SECONDS = 300;
  private static final int MOST_SECONDS = 24 * 3600;
  private static final int MOST_RANKS = 64;

  private final Path file;

  private FixtureReader(Path folder) {
    this.file = folder.resolve(Fixture.FILE);
  }

  /**
   * The fixture of a folder.
   *
   * @throws InvalidFileException if its description makes no sense
   */
  static Fixture read(Path folder) throws IOException {
    return new FixtureReader(folder).fixture(folder);
  }

  private Fixture fixture(Path folder) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw wrong("", "is not a file");
    }
    JsonNode node = YamlFile.read(file);
    known("", node, FIELDS);
    String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    String program = text(node, "program", name);
    String build = text(node, "build", "plain");
    if (!BUILDS.contains(build)) {
      throw wrong(
          "build",
          "expected 'plain', 'make', 'cmake', 'autotools', 'meson', 'bazel', 'python', 'java' or"
              + " 'script', not '"
              + build
              + "'");
    }
    JsonNode verify = node.path("verify");
    if (!verify.isMissingNode()) {
      known("verify", verify, VERIFY);
    }
    return new Fixture(
        name,
        folder,
        build,
        text(node, "std", "c++17"),
        texts("libs", node.path("libs")),
        texts("configure", node.path("configure")),
        texts("make", node.path("make")),
        program,
        runs(node, verify, program),
        verify.has("faults") ? Optional.of(inside(text(verify, "faults", ""))) : Optional.empty(),
        node.has("warp") ? Optional.of(warp(text(node, "warp", ""))) : Optional.empty());
  }

  private Fixture.Warp warp(String name) {
    for (Fixture.Warp kind : Fixture.Warp.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
        return kind;
      }
    }
    throw wrong("warp", "expected 'keep', 'wide', 'flagged' or 'schedule', not '" + name + "'");
  }

  private List<RunSpec> runs(JsonNode node, JsonNode verify, String program) {
    Defaults defaults =
        new Defaults(
            text(verify, "profile", "exact"),
            seconds(verify, SECONDS),
            texts("targets", verify.path("targets")),
            flag(verify, "tensors", false),
            flag(verify, "checks", false));
    JsonNode list = verify.path("runs");
    if (list.isMissingNode()) {
      Optional<String> stdout =
          node.has("expect") ? Optional.of(inside(text(node, "expect", ""))) : Optional.empty();
      List<String> args = texts("args", node.path("args"));
      return List.of(
          new RunSpec(
              "",
              program,
              args,
              List.of(),
              1,
              new TreeMap<>(),
              Optional.empty(),
              0,
              stdout,
              List.of(),
              defaults.tensors(),
              defaults.checks(),
              defaults.profile(),
              Map.of(),
              Map.of(),
              defaults.limit(),
              defaults.targets(),
              false));
    }
    if (!list.isArray() || list.isEmpty()) {
      throw wrong("verify.runs", "is not a list of runs");
    }
    List<RunSpec> runs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode run : list) {
      RunSpec spec = run(run, program, defaults);
      if (!spec.name().matches("[A-Za-z0-9_-][A-Za-z0-9_.-]*") || !names.add(spec.name())) {
        throw wrong(
            "verify.runs",
            "a name is missing or duplicated, begins with a dot, or contains characters other than"
                + " letters, digits, _ . -");
      }
      runs.add(spec);
    }
    return runs;
  }

  /** The defaults for all runs. */
  private record Defaults(
      String profile, Duration limit, List<String> targets, boolean tensors, boolean checks) {}

  private RunSpec run(JsonNode run, String program, Defaults defaults) {
    known("verify.runs", run, RUN);
    List<Integer> ranks = new ArrayList<>();
    JsonNode np = run.path("np");
    if (np.isArray()) {
      np.forEach(n -> ranks.add(number("np", n, 1, MOST_RANKS)));
    } else if (!np.isMissingNode()) {
      ranks.add(number("np", np, 1, MOST_RANKS));
    }
    List<String> files = texts("files", run.path("files"));
    files.forEach(this::inside);
    Duration limit = run.has("time") ? seconds(run, SECONDS) : defaults.limit();
    return new RunSpec(
        text(run, "name", ""),
        text(run, "program", program),
        texts("args", run.path("args")),
        ranks,
        run.has("gpus") ? number("gpus", run.get("gpus"), 1, MOST_RANKS) : ranks.isEmpty() ? 1 : 0,
        environment(run.path("environment")),
        run.has("preload") ? Optional.of(text(run, "preload", "")) : Optional.empty(),
        run.has("exit") ? number("exit", run.get("exit"), 0, 255) : 0,
        run.has("stdout") ? Optional.of(inside(text(run, "stdout", ""))) : Optional.empty(),
        files,
        flag(run, "tensors", defaults.tensors()),
        flag(run, "checks", defaults.checks()),
        text(run, "profile", defaults.profile()),
        new HashMap<>(table("profiles", run.path("profiles"))),
        terms(run.path("terms")),
        limit,
        run.has("targets") ? texts("targets", run.get("targets")) : defaults.targets(),
        flag(run, "full", false));
  }

  private SortedMap<String, String> environment(JsonNode node) {
    SortedMap<String, String> variables = table("environment", node);
    variables.forEach(
        (name, value) -> {
          if (name.isEmpty() || name.contains("=") || (name + value).indexOf('\0') >= 0) {
            throw wrong(
                "environment", "not a valid environment variable: '" + name + "=" + value + "'");
          }
        });
    return variables;
  }

  private SortedMap<String, String> table(String field, JsonNode node) {
    if (!node.isMissingNode() && !node.isObject()) {
      throw wrong(field, "expected a table");
    }
    SortedMap<String, String> map = new TreeMap<>();
    node.properties()
        .forEach(
            e -> {
              if (!e.getValue().isValueNode()) {
                throw wrong(e.getKey(), "expected a string");
              }
              map.put(e.getKey(), e.getValue().asString());
            });
    return map;
  }

  private Map<String, Long> terms(JsonNode node) {
    if (!node.isMissingNode() && !node.isObject()) {
      throw wrong("terms", "expected a table");
    }
    Map<String, Long> terms = new HashMap<>();
    node.properties()
        .forEach(
            e -> terms.put(e.getKey(), (long) number("terms", e.getValue(), 1, Integer.MAX_VALUE)));
    return terms;
  }

  private Duration seconds(JsonNode node, int otherwise) {
    return Duration.ofSeconds(
        node.has("time") ? number("time", node.get("time"), 1, MOST_SECONDS) : otherwise);
  }

  private int number(String field, JsonNode node, int least, int most) {
    if (!node.isIntegralNumber() || !node.canConvertToInt()) {
      throw wrong(field, "expected an integer, not " + node);
    }
    int number = node.asInt();
    if (number < least || number > most) {
      throw wrong(field, "must be %d to %d, not %d".formatted(least, most, number));
    }
    return number;
  }

  private boolean flag(JsonNode node, String field, boolean otherwise) {
    if (node.has(field) && !node.get(field).isBoolean()) {
      throw wrong(field, "expected true or false");
    }
    return node.path(field).asBoolean(otherwise);
  }

  private String text(JsonNode node, String field, String otherwise) {
    JsonNode value = node.path(field);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isValueNode()) {
      throw wrong(field, "expected a string");
    }
    return value.asString();
  }

  private List<String> texts(String field, JsonNode list) {
    List<String> texts = new ArrayList<>();
    if (!list.isMissingNode() && !list.isArray()) {
      throw wrong(field, "expected a list");
    }
    for (JsonNode n : list) {
      if (!n.isValueNode()) {
        throw wrong(field, "expected strings");
      }
      texts.add(n.asString());
    }
    return texts;
  }

  /** A path that stays in the fixture. */
  private String inside(String path) {
    if (!PathText.isWithin(path)) {
      throw wrong(path, "is not a path within the fixture");
    }
    return path;
  }

  private void known(String where, JsonNode node, Set<String> fields) {
    if (!node.isObject()) {
      throw wrong(where, "expected a table of fields");
    }
    for (String name : node.propertyNames()) {
      if (!fields.contains(name)) {
        throw wrong(where.isEmpty() ? name : where + "." + name, "no such field");
      }
    }
  }

  private InvalidFileException wrong(String where, String why) {
    return new InvalidFileException(file + ": " + (where.isEmpty() ? "" : where + ": ") + why);
  }
}
