package dev.rocport.examples;

import dev.rocport.assess.InlineSuppressions;
import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.core.edit.OverlapException;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.java.JavaBuilds;
import dev.rocport.lang.java.JavaPorter;
import dev.rocport.lang.ptx.find.PtxFiles;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.packaging.Packages;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Checks that rules agree with their examples: {@code before} becomes {@code after}, {@code after}
 * stays, and so does every {@code unchanged} snippet, each with LF and with CRLF line ends. The
 * rule itself must have a part in it: an edit, or a finding where the text stays as it is. An
 * example that names its file is a whole file; all others are fragments, to which no include is
 * added. For files that say what is to be installed, which are never edited, {@code after} is the
 * file that the port writes beside them.
 */
public final class RuleExamples {
  private static final String FRAGMENT = "example.cu";

  /**
   * Rules about compiler output, whose examples are compiled, and about whole trees, which no
   * snippet shows.
   */
  private static final Set<String> ELSEWHERE = Set.of("build-files", "compiler", "tree", "verify");

  /**
   * The builds of the projects that snippets belong to define HAVE_CUDA if they use CUDA, and
   * compile relocatable device code.
   */
  private static final Map<String, String> SWITCHES = Map.of("HAVE_CUDA", "HAVE_ROCM");

  private final RuleCatalog catalog;
  private final Function<List<String>, PortOptions> parser;
  private final Map<PortOptions, CudaPorter> porters = new HashMap<>();

  /** What the porter made of a snippet. */
  private record Ported(String path, String text, Changes changes, List<Finding> findings) {
    boolean names(String rule) {
      return changes.counts().containsKey(rule)
          || findings.stream().anyMatch(f -> f.rule().equals(rule));
    }
  }

  /**
   * An example runner over these rules.
   *
   * @param parser reads the options of an example as the command line does
   */
  public RuleExamples(RuleCatalog catalog, Function<List<String>, PortOptions> parser) {
    this.catalog = catalog;
    this.parser = parser;
  }

  /** Runs all examples of a rule; empty if all hold. */
  public List<ExampleFailure> run(Rule rule) {
    List<ExampleFailure> failures = new ArrayList<>();
    if (ELSEWHERE.contains(rule.analysis())) {
      return failures;
    }
    for (int i = 0; i < rule.examples().size(); i++) {
      Rule.Example e = rule.examples().get(i);
      PortOptions options = options(rule, e.options());
      for (LineEnd end : LineEnd.values()) {
        Check check = new Check(rule, "example " + (i + 1) + " with " + end, end, failures);
        check.example(e, options);
      }
    }
    PortOptions options = options(rule, List.of());
    for (int i = 0; i < rule.unchanged().size(); i++) {
      for (LineEnd end : LineEnd.values()) {
        Check check = new Check(rule, "unchanged " + (i + 1) + " with " + end, end, failures);
        check.stays(FRAGMENT, rule.unchanged().get(i), options, "must not change");
      }
    }
    return failures;
  }

  private enum LineEnd {
    LF,
    CRLF;

    String in(String text) {
      return this == CRLF ? text.replace("\r\n", "\n").replace("\n", "\r\n") : text;
    }
  }

  private final class Check {
    private final Rule rule;
    private final String name;
    private final LineEnd end;
    private final List<ExampleFailure> failures;

    Check(Rule rule, String name, LineEnd end, List<ExampleFailure> failures) {
      this.rule = rule;
      this.name = name;
      this.end = end;
      this.failures = failures;
    }

    void example(Rule.Example e, PortOptions options) {
      Ported ported =
          becomes(e.file(), e.before(), e.after(), options, "differs from the actual result");
      if (ported == null) {
        return;
      }
      boolean reports = e.before().equals(e.after());
      if (!ported.names(rule.id())) {
        String problem =
            reports
                ? "the rule reports no finding in it"
                : "the rule does not apply to it; these rules do: "
                    + ported.changes().counts().keySet();
        failures.add(new ExampleFailure(rule.id(), name, problem, "", ""));
      }
      if (!reports) {
        stays(ported.path(), e.after(), options, "changes when it is ported again");
      }
    }

    void stays(String file, String text, PortOptions options, String problem) {
      Ported ported = becomes(file, text, text, options, problem);
      if (ported != null && ported.changes().counts().containsKey(rule.id())) {
        failures.add(
            new ExampleFailure(rule.id(), name, problem + ", but the rule edits it", "", ""));
      }
    }

    private @org.jspecify.annotations.Nullable Ported becomes(
        String file, String before, String after, PortOptions options, String problem) {
      try {
        Ported ported = port(SourceFile.of(file, end.in(before)), options, rule.analysis());
        if (!ported.text().equals(end.in(after))) {
          failures.add(new ExampleFailure(rule.id(), name, problem, end.in(after), ported.text()));
          return null;
        }
        return ported;
      } catch (OverlapException e) {
        failures.add(new ExampleFailure(rule.id(), name, "edits overlap: " + e, "", ""));
        return null;
      }
    }
  }

  private Ported port(SourceFile file, PortOptions options, String analysis) {
    if (analysis.equals("packages") && !file.path().equals(FRAGMENT)) {
      Packages.Snippet snippet = Packages.portSnippet(catalog, options, file);
      List<Finding> told = InlineSuppressions.apply(snippet.changes()).findings();
      return new Ported(snippet.path(), snippet.text(), snippet.changes(), told);
    }
    CudaPorter porter = porters.computeIfAbsent(options, o -> new CudaPorter(catalog, o));
    boolean fragment = file.path().equals(FRAGMENT);
    Changes changes =
        file.path().endsWith(".py") || file.path().endsWith(".ipynb")
            ? new PythonPorter(catalog, options).port(file, PythonProject.NONE)
            : file.path().endsWith(".java")
                ? new JavaPorter(catalog, options, porter).port(file)
                : JavaBuilds.serves(file.path())
                    ? JavaBuilds.look(catalog, options, file)
                    : PtxFiles.isText(file.path())
                        ? new PtxFiles(catalog, options).find(file)
                        : BuildFiles.serves(file.path())
                            ? BuildFiles.portSnippet(catalog, options, file)
                            : fragment
                                ? porter.portSnippet(file, project(porter, file))
                                : porter.port(file, project(porter, file));
    String text = new String(changes.edits().apply(file.bytes()), StandardCharsets.UTF_8);
    return new Ported(file.path(), text, changes, InlineSuppressions.apply(changes).findings());
  }

  private static ProjectIndex project(CudaPorter porter, SourceFile file) {
    return ProjectIndex.of(List.of(porter.scan(file))).with(SWITCHES, true);
  }

  /** A rule for one choice of libraries, or for newer headers, is run with what it asks for. */
  private PortOptions options(Rule rule, List<String> given) {
    List<String> options = new ArrayList<>(given);
    if (!rule.libs().isEmpty() && !given.contains("--libs")) {
      options.addAll(List.of("--libs", rule.libs()));
    }
    if (!rule.needs().isEmpty() && !given.contains("--hip")) {
      options.addAll(List.of("--hip", newer(rule.needs(), PortOptions.DEFAULT.hip())));
    }
    return parser.apply(options);
  }

  private static String newer(String a, String b) {
    return java.lang.module.ModuleDescriptor.Version.parse(a)
                .compareTo(java.lang.module.ModuleDescriptor.Version.parse(b))
            > 0
        ? a
        : b;
  }
}
