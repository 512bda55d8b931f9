package dev.rocport.verify;

import dev.rocport.core.result.Severity;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.LibsRuntime;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import dev.rocport.toolchain.runtime.UnavailableLibraryException;
import dev.rocport.verify.compare.Profiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs a program, once and again, and holds it against what was recorded or against its word. */
final class RunTrial {
  /** The runtime's message for a function that is only a stub. */
  private static final String NO_BODY = " is not implemented";

  private static final String ROCPORT = "rocport: ";

  /** It is device code, of which Debian has no package. */
  private static final String ROCSHMEM = "librocshmem";

  private final Observer observer;
  private final Results results;
  private final RuleCatalog catalog;
  private final VerifyOptions options;
  private final Profiles profiles;

  RunTrial(
      Observer observer,
      Results results,
      RuleCatalog catalog,
      VerifyOptions options,
      Profiles profiles) {
    this.observer = observer;
    this.results = results;
    this.catalog = catalog;
    this.options = options;
    this.profiles = profiles;
  }

  Judge judge(RunCase c) {
    return new Judge(new Golden(c.fixture()), c.run(), c.ranks(), profiles, options.profile());
  }

  /**
   * A program that a fixture describes.
   *
   * @param built whether all of the tree was built
   * @param seed of the first order of waves; 0 for the fixed order
   * @return what the first run left, if it ran
   */
  Optional<Observed> described(RunCase c, Path tree, boolean built, int seed)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Programs programs = new Programs(tree);
    String name = c.run().program();
    String path = c.fixture().name() + "/" + name;
    Optional<Path> program = built ? programs.find(c.fixture(), c.run()) : Optional.empty();
    if (program.isPresent()) {
      return run(c, path, tree, program.get(), false, seed);
    }
    String why = built ? programs.missing(name) : "does not build";
    results.findings().add(path, c.where(), new Problem(Problem.RUN, why));
    results.notJudged(c, "failed", why);
    return Optional.empty();
  }

  /** A program of which nothing is known. */
  void undescribed(RunCase c, Path tree, Path program)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    run(c, c.fixture().name(), tree, program, true, 0);
  }

  private Optional<Observed> run(
      RunCase c, String path, Path tree, Path program, boolean byItsWord, int seed)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    results.begin(c.fixture(), "run " + c.where());
    Observed first;
    try {
      first = observer.observe(c, tree, program, seed);
    } catch (UnavailableLibraryException e) {
      String message = String.valueOf(e.getMessage());
      results.findings().add(path, c.where(), new Problem(Problem.RUN, message));
      results.notJudged(c, "not-run", message);
      return Optional.empty();
    }
    String missing = missing(first.run());
    if (!missing.isEmpty()) {
      results.findings().add(path, c.where(), new Problem(Problem.LIBRARY, missing));
      results.notJudged(c, "not-run", missing);
      return Optional.of(first);
    }
    Judge judge = judge(c);
    judge.judge(first);
    replaced(first.libraries())
        .ifPresent(
            names ->
                judge.problem(
                    Problem.RUN,
                    "loaded rocport stand-ins instead of AMD's libraries, because rocport could not"
                        + " determine these libraries before the program started: "
                        + names));
    if (byItsWord) {
      word(judge, first.run());
    }
    again(judge, first, c, tree, program);
    judge.problems().forEach(p -> results.findings().add(path, c.where(), p));
    SourcePlaces places = new SourcePlaces(catalog, program.toString(), tree.toAbsolutePath());
    for (SeenFinding f : judge.found()) {
      results.found(places.found(c.fixture().name() + " " + c.where(), f));
    }
    boolean failed =
        judge.problems().stream()
            .anyMatch(p -> catalog.require(p.rule()).severity() == Severity.ERROR);
    String message =
        byItsWord
            ? "no golden vectors were compared"
            : judge.compared() ? "" : "there is no recording to compare with";
    results.judged(c, first, judge, failed, message);
    return Optional.of(first);
  }

  /** Stand-ins that ran although AMD's own libraries were asked for; empty for none. */
  private Optional<String> replaced(LoadedLibraries libraries) {
    List<String> names = libraries.standIns().stream().filter(n -> !n.equals(ROCSHMEM)).toList();
    return options.libraries() == LibsRuntime.ROCM && !names.isEmpty()
        ? Optional.of(String.join(", ", names))
        : Optional.empty();
  }

  /** Repeats the run in other orders, or unchanged if there are none. */
  private void again(Judge judge, Observed first, RunCase c, Path tree, Path program)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    for (int i = 1; i < options.runs() && !first.run().isCut(); i++) {
      Observed later = observer.observe(c, tree, program, i);
      judge.same(first, later, observer.how(i));
      judge.found(later.findings());
      if (later.wrong() > 0) {
        judge.problem(
            Problem.CHECKS,
            later.wrong() + " elements of the program's own checks are wrong in run " + (i + 1));
      }
    }
  }

  /** Checks the last line of a program for PASS or FAIL. */
  private static void word(Judge judge, ProgramRun run) {
    String said = run.text().lines().filter(l -> !l.isBlank()).reduce((a, b) -> b).orElse("");
    if (said.matches("(?i).*\\bFAIL(ED|URE)?\\b.*")) {
      judge.problem(Problem.OUTPUT, "prints '" + said.strip() + "'");
    }
    judge.checks().put("says", said.matches("(?i).*\\bPASS(ED)?\\b.*") ? "PASS" : "nothing");
  }

  /** The function that the runtime has no body for; empty where the program ended otherwise. */
  private static String missing(ProgramRun run) {
    return run.code() == 0
        ? ""
        : run.stderr()
            .lines()
            .filter(l -> l.startsWith(ROCPORT) && l.endsWith(NO_BODY))
            .map(l -> l.substring(ROCPORT.length()))
            .findFirst()
            .orElse("");
  }
}
