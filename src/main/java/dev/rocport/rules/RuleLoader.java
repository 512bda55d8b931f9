package dev.rocport.rules;

import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Topic;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads a folder of rules: {@code *.yaml} with one rule (an API family, its names beside it in a
 * {@code .tsv} of the same name) or a list of rules, {@code advice.yaml} with shared texts, {@code
 * effort.yaml} with the effort weights, {@code phases.yaml} with the phases of a port, and {@code
 * guards/macros.tsv}. Files are read in order of their path.
 */
public final class RuleLoader {
  private static final String TABLE_HEADER = "cuda\thip\troc\tkind\tneeds\tadvice";

  /** Holds the tolerances of {@code rocport verify}, no rules. */
  private static final String TOLERANCES = "tolerances";

  /** The members of the sets that rows about NVSHMEM name. */
  private static final String TYPES = "shmem/types.tsv";

  private static final String CHANGES = "rocm/changes.tsv";
  private static final String MACROS = "guards/macros.tsv";
  private static final String MACROS_HEADER = "macro\tkind\tvalue\toldest\tin_code\tlibrary";

  /** The fields of a rule; {@code rules/rule.schema.json} describes them. */
  static final Set<String> FIELDS =
      Set.of(
          "id",
          "topic",
          "title",
          "why",
          "severity",
          "confidence",
          "needs",
          "when",
          "functions",
          "match",
          "rewrite",
          "analysis",
          "advice",
          "evidence",
          "headers",
          "roc_headers",
          "where",
          "examples",
          "unchanged");

  /** The analyses that are built in: a rule that names another would never be applied. */
  static final SortedSet<String> ANALYSES =
      Collections.unmodifiableSortedSet(
          new TreeSet<>(
              Set.of(
                  "asm",
                  "attribute-order",
                  "autotools",
                  "build-files",
                  "build-other",
                  "barriers",
                  "bazel",
                  "builtin-variables",
                  "case-labels",
                  "clang",
                  "clusters",
                  "cmake",
                  "compiler",
                  "cub-warps",
                  "device-declval",
                  "device-printf",
                  "deviceptr",
                  "dim3",
                  "execution-spaces",
                  "fragments",
                  "groups",
                  "guards",
                  "includes",
                  "java",
                  "half-values",
                  "host-math",
                  "launches",
                  "legacy-blas",
                  "lexer",
                  "make",
                  "meson",
                  "names",
                  "narrowing",
                  "python-compile-mode",
                  "python-compile-options",
                  "python-dtype",
                  "python-environment",
                  "python-extension",
                  "python-import",
                  "python-keyword",
                  "python-multicast",
                  "python-name",
                  "python-notebook",
                  "python-setting",
                  "python-setup",
                  "python-string",
                  "python-symmetric",
                  "python-symmetric-arguments",
                  "python-symmetric-out",
                  "python-symmetric-pool",
                  "python-symmetric-write",
                  "python-syntax",
                  "overload-headers",
                  "overloads",
                  "own-functions",
                  "packages",
                  "pasted-names",
                  "ptx",
                  "ptx-places",
                  "release-fence",
                  "scale-types",
                  "schedule",
                  "shmem",
                  "shmem-places",
                  "static-variables",
                  "strings",
                  "suppressions",
                  "texture-references",
                  "tree",
                  "vanish",
                  "vector-braces",
                  "vector-operators",
                  "verify",
                  "warp",
                  "warp-size")));

  private final List<Rule> rules = new ArrayList<>();
  private final List<ApiName> names = new ArrayList<>();
  private final List<PtxRow> ptx = new ArrayList<>();
  private final List<ShmemRow> shmem = new ArrayList<>();
  private final Map<String, String> advice = new HashMap<>();
  private final Set<String> ids = new HashSet<>();
  private EffortTable effort = EffortTable.NONE;
  private PhaseTable phases = PhaseTable.NONE;

  private RuleLoader() {}

  /** What a folder holds. */
  public record Loaded(
      List<Rule> rules,
      List<ApiName> names,
      List<PtxRow> ptx,
      ShmemTable shmem,
      EffortTable effort,
      GuardTable guards,
      RocmChanges rocm,
      PhaseTable phases) {}

  /**
   * Reads a folder.
   *
   * @throws InvalidFileException if a file cannot be read or is invalid
   */
  public static Loaded load(Path folder) {
    RuleLoader loader = new RuleLoader();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files =
          walk.filter(p -> p.toString().endsWith(".yaml") && Files.isRegularFile(p))
              .filter(p -> !folder.relativize(p).startsWith(TOLERANCES))
              .sorted()
              .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidFileException("cannot read rules folder " + folder + ": " + e, e);
    }
    files.stream().filter(RuleLoader::isAdvice).forEach(loader::readAdvice);
    for (Path file : files) {
      try {
        if (!isAdvice(file)) {
          loader.readRules(folder, file);
        }
      } catch (JacksonException e) {
        throw new InvalidFileException(file + ": expected text: " + e.getOriginalMessage(), e);
      }
    }
    Path macros = folder.resolve(MACROS);
    GuardTable guards = Files.exists(macros) ? guards(macros) : GuardTable.NONE;
    Path changes = folder.resolve(CHANGES);
    RocmChanges rocm = Files.exists(changes) ? changes(changes) : RocmChanges.NONE;
    Path types = folder.resolve(TYPES);
    List<ShmemRow.Member> members =
        Files.exists(types)
            ? TsvTable.read(types, ShmemRow.Member.HEADER).rows().stream()
                .map(ShmemRow.Member::of)
                .toList()
            : List.of();
    return new Loaded(
        List.copyOf(loader.rules),
        List.copyOf(loader.names),
        List.copyOf(loader.ptx),
        new ShmemTable(loader.shmem, members),
        loader.effort,
        guards,
        rocm,
        loader.phases);
  }

  private static boolean isAdvice(Path file) {
    return file.endsWith("advice.yaml");
  }

  private void readAdvice(Path file) {
    for (Map.Entry<String, JsonNode> e : tree(file).properties()) {
      if (!e.getValue().isString()) {
        throw new InvalidFileException(file + ": '" + e.getKey() + "' is not text");
      }
      advice.put(e.getKey(), e.getValue().asString());
    }
  }

  private void readRules(Path folder, Path file) {
    String path = folder.relativize(file).toString().replace('\\', '/');
    String family = path.substring(0, path.length() - ".yaml".length());
    JsonNode root = tree(file);
    if (file.endsWith("effort.yaml")) {
      effort = new EffortLoader(file).read(root);
      return;
    }
    if (file.endsWith("phases.yaml")) {
      phases = new PhaseLoader(file).read(root);
      return;
    }
    Path table = file.resolveSibling(file.getFileName().toString().replace(".yaml", ".tsv"));
    if (root.isArray()) {
      for (JsonNode node : root) {
        rules.add(rule(file, family, node));
      }
    } else {
      Rule rule = rule(file, family, root);
      rules.add(rule);
      if (Files.exists(table) && rule.analysis().equals("ptx")) {
        TsvTable.read(table, PtxRow.HEADER).rows().forEach(r -> ptx.add(PtxRow.of(r, rule.id())));
      } else if (Files.exists(table) && rule.analysis().equals("shmem")) {
        TsvTable.read(table, ShmemRow.HEADER)
            .rows()
            .forEach(r -> shmem.add(ShmemRow.of(r, rule.id())));
      } else if (Files.exists(table)) {
        readTable(table, rule.id());
      }
    }
  }

  private static JsonNode tree(Path file) {
    try {
      JsonNode node = YamlFile.read(file);
      if (node.isMissingNode() || node.isNull()) {
        throw new InvalidFileException(file + ": is empty");
      }
      if (!node.isContainer()) {
        throw new InvalidFileException(file + ": contains neither a rule nor a list of rules");
      }
      return node;
    } catch (IOException e) {
      throw new InvalidFileException("cannot read " + file + ": " + e, e);
    }
  }

  private Rule rule(Path file, String family, JsonNode node) {
    String id = text(node, "id");
    String where = file + ": rule '" + id + "'";
    for (String field : node.propertyNames()) {
      if (!FIELDS.contains(field)) {
        throw new InvalidFileException(where + ": unknown field '" + field + "'");
      }
    }
    if (id.isEmpty() || !id.matches("[A-Z][A-Z0-9-]*")) {
      throw new InvalidFileException(
          file + ": an id is missing or not of the form ABC-DEF: '" + id + "'");
    }
    if (!ids.add(id)) {
      throw new InvalidFileException(where + ": the id is used twice");
    }
    for (String field : List.of("title", "why")) {
      if (text(node, field).isBlank()) {
        throw new InvalidFileException(where + ": '" + field + "' is empty");
      }
    }
    String analysis = text(node, "analysis");
    if (!analysis.isEmpty() && !ANALYSES.contains(analysis)) {
      throw new InvalidFileException(
          where
              + ": unknown analysis '"
              + analysis
              + "'; use one of "
              + String.join(", ", ANALYSES));
    }
    List<Rule.Example> examples = examples(node);
    if (examples.isEmpty()) {
      throw new InvalidFileException(where + ": has no example");
    }
    try {
      return new Rule(
          id,
          Topic.of(text(node, "topic")),
          family,
          text(node, "title"),
          text(node, "why").strip(),
          Severity.of(text(node, "severity")),
          Confidence.of(text(node, "confidence")),
          text(node, "needs"),
          node.has("when") ? text(node.get("when"), "libs") : "",
          strings(node, "functions"),
          text(node, "match").strip(),
          text(node, "rewrite").strip(),
          analysis,
          advice(where, text(node, "advice").strip()),
          strings(node, "evidence"),
          strings(node, "headers"),
          strings(node, "roc_headers"),
          strings(node, "where"),
          examples,
          strings(node, "unchanged"));
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(where + ": " + e.getMessage(), e);
    }
  }

  private static List<Rule.Example> examples(JsonNode node) {
    List<Rule.Example> list = new ArrayList<>();
    if (node.has("examples")) {
      for (JsonNode e : node.get("examples")) {
        String before = text(e, "before");
        list.add(
            new Rule.Example(
                before,
                e.has("after") ? text(e, "after") : before,
                strings(e, "options"),
                e.has("file") ? text(e, "file") : "example.cu"));
      }
    }
    return List.copyOf(list);
  }

  private void readTable(Path file, String family) {
    for (TsvTable.Row r : TsvTable.read(file, TABLE_HEADER).rows()) {
      if (r.cell(0).isEmpty()) {
        throw new InvalidFileException(r.where() + ": has no name");
      }
      if (r.cell(1).isEmpty() && r.cell(5).isEmpty()) {
        throw new InvalidFileException(r.where() + ": no HIP name and no advice for " + r.cell(0));
      }
      try {
        names.add(
            new ApiName(
                r.cell(0),
                r.cell(1),
                r.cell(2),
                ApiName.Kind.of(r.cell(3)),
                r.cell(4),
                advice(r.where(), r.cell(5)),
                family));
      } catch (IllegalArgumentException e) {
        throw new InvalidFileException(r.where() + ": no such kind: " + r.cell(3), e);
      }
    }
  }

  private static RocmChanges changes(Path file) {
    List<RocmChange> rows = new ArrayList<>();
    for (TsvTable.Row r : TsvTable.read(file, RocmChange.HEADER).rows()) {
      try {
        RocmChange.Where where = RocmChange.Where.of(r.cell(3));
        rows.add(new RocmChange(r.cell(0), r.cell(1), r.cell(2), where, r.cell(4), r.cell(5)));
      } catch (IllegalArgumentException e) {
        throw new InvalidFileException(r.where() + ": " + e.getMessage(), e);
      }
    }
    return new RocmChanges(rows);
  }

  private static GuardTable guards(Path file) {
    List<GuardMacro> macros = new ArrayList<>();
    for (TsvTable.Row r : TsvTable.read(file, MACROS_HEADER).rows()) {
      try {
        long oldest = r.cell(3).isEmpty() ? 0 : Long.parseLong(r.cell(3));
        GuardMacro.Kind kind = GuardMacro.Kind.of(r.cell(1));
        macros.add(new GuardMacro(r.cell(0), kind, r.cell(2), oldest, r.cell(4), r.cell(5)));
      } catch (IllegalArgumentException e) {
        throw new InvalidFileException(r.where() + ": " + e.getMessage(), e);
      }
    }
    return new GuardTable(macros);
  }

  private String advice(String where, String text) {
    if (!text.startsWith("@")) {
      return text;
    }
    String found = advice.get(text.substring(1));
    if (found == null) {
      throw new InvalidFileException(where + ": no advice '" + text + "'");
    }
    return found;
  }

  private static String text(JsonNode node, String field) {
    JsonNode v = node.get(field);
    return v == null || v.isNull() ? "" : v.asString();
  }

  private static List<String> strings(JsonNode node, String field) {
    JsonNode v = node.get(field);
    if (v == null || v.isNull()) {
      return List.of();
    }
    List<String> list = new ArrayList<>();
    if (v.isArray()) {
      v.forEach(x -> list.add(x.asString()));
    } else {
      list.add(v.asString());
    }
    return List.copyOf(list);
  }
}
