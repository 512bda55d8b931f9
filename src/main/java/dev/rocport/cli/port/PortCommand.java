package dev.rocport.cli.port;

import dev.rocport.assess.Phases;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.option.ProjectConfig;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.Progress;
import dev.rocport.cli.support.Signals;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Result;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.port.DecidingTarget;
import dev.rocport.port.DiffTarget;
import dev.rocport.port.InPlaceTarget;
import dev.rocport.port.LinesTarget;
import dev.rocport.port.OutputNames;
import dev.rocport.port.Porter;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.StateException;
import dev.rocport.port.Target;
import dev.rocport.port.TreeTarget;
import dev.rocport.port.Unannotate;
import dev.rocport.port.Unchanged;
import dev.rocport.port.Undo;
import dev.rocport.port.decide.Decisions;
import dev.rocport.render.ReportForm;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rocport port}: ports into a folder, in place or as a diff, and undoes a port. */
@Command(
    name = "port",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Ports CUDA sources to HIP: into a folder (--out), in place, or as a diff.",
    footer = {
      "",
      "Examples:",
      "  rocport port src --out ported",
      "  rocport port . --out ported --style single-source --libs roc",
      "  rocport port kernel.cu --diff                preview, write nothing",
      "  rocport port . --out ported --check          and find what does not compile",
      "  rocport port . --out ported --check --make-arg test --make-arg DEBUG=1",
      "  rocport port . --in-place",
      "  rocport port . --branch rocm                 commits on a branch, for review",
      "  rocport port src --out ported --annotate     and mark what is left to do",
      "  rocport port kernel.cu --diff --lines 10-40  the changes of some lines",
      "  rocport port - --as kernel.cu < a.cu > b.hip a filter, for editors",
      "  rocport port . --undo"
    })
public final class PortCommand implements Callable<Integer> {
  private final Console console;
  @Spec private CommandSpec spec;
  @Mixin private TreeChoices tree;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "DIR",
      description = {
        "Write the ported tree here; names and layout stay the same, other files are copied.",
        "For a single file, DIR may be a file name such as saxpy.hip."
      })
  private @Nullable Path out;

  @Option(names = "--in-place", description = "Port the files in place.")
  private boolean inPlace;

  @Option(
      names = "--branch",
      paramLabel = "NAME",
      description = {
        "Port the commit that is checked out, and write the port as commits of a branch. Work"
            + " tree,",
        "index and HEAD stay as they are. If the branch has a port, merge the new one into it."
      })
  private @Nullable String branch;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = {
        "With PATH -: port standard input to standard output as a file with this name, without a"
            + " project around it; findings go to standard error."
      })
  private @Nullable Path as;

  @Option(
      names = "--lines",
      paramLabel = "FIRST-LAST",
      description = "Make only the changes in these lines of one file, and those of includes.")
  private @Nullable String lines;

  @Option(names = "--diff", description = "Print a unified diff and write nothing.")
  private boolean diff;

  @Mixin private CheckChoices checks;

  @Option(
      names = "--interactive",
      description = {
        "Ask about the changes before the port, and keep the decisions in .rocport/decisions.yaml"
            + " of the tree, which later ports and audits follow."
      })
  private boolean interactive;

  @Mixin private NoteChoices notes;

  @Option(
      names = "--unannotate",
      description = "Remove the comments of --annotate and --keep-original from the files in PATH.")
  private boolean unannotate;

  @Option(
      names = "--undo",
      description =
          "Restore files ported in place, or delete the files written to an output folder.")
  private boolean undo;

  @Option(names = "--force", description = "With --undo: discard edits made since the port.")
  private boolean force;

  @Option(names = "--times", hidden = true, description = "Print the times of the phases.")
  private boolean times;

  @Mixin private PortChoices choices;
  @Mixin private ReportChoices report;

  public PortCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ToolchainException {
    PortCommand configured = new PortCommand(console);
    boolean changed =
        ProjectConfig.apply(
            configured,
            isFilter() ? Path.of("").toAbsolutePath() : tree.selection().root(),
            ProjectConfig.argsOf(spec));
    return (changed ? configured : this).run();
  }

  private boolean isFilter() {
    return tree.paths().equals(List.of(Path.of("-")));
  }

  private int filter() throws IOException {
    boolean needsTree = interactive || checks.check() || force || undo || unannotate;
    if (as == null || out != null || inPlace || branch != null || diff || needsTree) {
      throw new UsageException(
          "PATH - requires --as NAME, and no --out, --diff, --check, --interactive or the like");
    }
    RuleCatalog catalog = choices.catalog();
    PortOptions options = choices.options(catalog);
    UnaryOperator<Target> changed = changed(options, Path.of(""));
    return new FilterPort(console, report, catalog, options, changed).run(as, tree.maxFile());
  }

  private int run() throws IOException, InterruptedException, ToolchainException {
    if (isFilter()) {
      return filter();
    }
    if (as != null) {
      throw new UsageException("--as requires PATH -");
    }
    if (lines != null && !(tree.selection().isOneFile() && (diff || out != null))) {
      throw new UsageException("--lines requires one file as PATH with --diff or --out, or PATH -");
    }
    long ways =
        Stream.of(out != null, inPlace, branch != null, diff, undo, unannotate)
            .filter(w -> w)
            .count();
    if (ways != 1) {
      throw new UsageException(
          ways == 0
              ? "specify where to write the ported files: --out DIR, --in-place or --branch NAME;"
                  + " or --diff for a preview"
              : "--out, --in-place, --branch, --diff, --undo and --unannotate are mutually"
                  + " exclusive");
    }
    if (diff && report.format() != ReportForm.TEXT) {
      throw new UsageException(
          "--diff and --format both write to standard output: use --report DIR");
    }
    checks.verify();
    if (checks.check() && (diff || undo || unannotate || branch != null)) {
      throw new UsageException(
          "--check requires --out or --in-place, because it compiles the files that the port"
              + " writes");
    }
    if (interactive && out == null && !inPlace) {
      throw new UsageException("--interactive requires --out or --in-place");
    }
    if (force && !undo) {
      throw new UsageException("--force requires --undo");
    }
    if (branch != null) {
      RuleCatalog catalog = choices.catalog();
      PortOptions options = choices.options(catalog);
      UnaryOperator<Target> changed = changed(options, tree.selection().root());
      return new BranchPort(console, tree, report, catalog, options, changed).run(branch);
    }
    try {
      return undo ? undo() : unannotate ? unannotate() : port();
    } catch (StateException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private int port() throws IOException, InterruptedException, ToolchainException {
    TreeSelection selection = tree.selection();
    if (diff) {
      return run(selection, null);
    }
    if (out == null) {
      Path above = InPlaceTarget.stateAbove(selection.root());
      TreeSelection whole = above == null ? selection : selection.withRoot(above);
      return run(whole, new TreeWriter(whole.root()));
    }
    Path folder = out.toAbsolutePath().normalize();
    if (isFileName(selection)) {
      folder = folder.getParent() == null ? folder : folder.getParent();
    } else if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("--out " + out + " is a file but must be a folder");
    }
    Path real = Files.isDirectory(folder) ? folder.toRealPath() : folder;
    if (!isFileName(selection) && real.equals(selection.root())) {
      throw new UsageException(
          "--out " + out + " contains the originals: use --in-place to replace them");
    }
    return run(selection.withOutputs(Set.of(real)), new TreeWriter(real));
  }

  /** {@code --out saxpy.hip} for one file. */
  private boolean isFileName(TreeSelection selection) {
    return out != null
        && selection.isOneFile()
        && !Files.isDirectory(out)
        && String.valueOf(out.getFileName())
            .matches(".*\\.(cu|cuh|hip|c|cc|cpp|cxx|h|hpp|hxx|hh|inl)");
  }

  private int run(TreeSelection selection, @Nullable TreeWriter writer)
      throws IOException, InterruptedException, ToolchainException {
    long start = System.nanoTime();
    Instant began = Instant.now();
    Optional<Unchanged> next = Optional.empty();
    NextRun nextRun = new NextRun(console, report, times);
    RuleCatalog catalog = choices.catalog();
    PortOptions options = choices.options(catalog);
    Decisions decisions = decisions(options, selection.root());
    UnaryOperator<Target> noting = notes.onto(options, selection.root());
    SourceTree files = SourceTree.walk(selection);
    RenamedSources renamed =
        options.renameSources() ? RenamedSources.of(files) : RenamedSources.NONE;
    Map<String, String> outputs = renamed.names();
    boolean oneFile = isFileName(selection);
    if (oneFile && checks.check()) {
      throw new UsageException(
          "--check requires a folder as --out, because it runs the build of the whole folder");
    }
    if (oneFile && out != null) {
      outputs = Map.of(files.entries().getFirst().path(), out.getFileName().toString());
    }
    OutputNames names = OutputNames.of(outputs);
    Reporter reporter = Reporter.of(console, report, catalog, options, selection.root());
    // A port may write into the tree, except into a folder of its own.
    Optional<Phases> phases =
        inPlace || oneFile || writer == null
            ? Optional.of(Phases.scan(catalog.phases(), files))
            : Optional.empty();
    Porter porter = new Porter(catalog, options, renamed, tree.jobs(), tree.maxFile());
    if (interactive && !answered(writer, names, catalog, porter, files, decisions)) {
      return ExitCode.OK.code();
    }
    UnaryOperator<Target> changed = inLines(options, changed(noting, decisions));
    List<FileResult> results = new ArrayList<>();
    String unsaved = "";
    long walked = System.nanoTime();
    long ported = walked;
    PortTimes progress;
    try (Progress shown = Progress.of(console, report.quiet())) {
      progress = new PortTimes(shown, start);
      if (writer == null) {
        DiffTarget target = new DiffTarget(console.out(), ShimHeaders.ofHome(), names);
        results.addAll(porter.run(files, changed.apply(target), progress));
        target.finish();
      } else if (inPlace) {
        Signals.guard(writer);
        try (InPlaceTarget target = InPlaceTarget.open(writer, ShimHeaders.ofHome(), names)) {
          results.addAll(porter.run(files, changed.apply(target), progress));
          ported = System.nanoTime();
          unsaved = unsaved(() -> target.finish(files, results));
        }
      } else {
        Signals.guard(writer);
        try (TreeTarget target = TreeTarget.open(writer, ShimHeaders.ofHome(), names, oneFile)) {
          results.addAll(porter.run(files, changed.apply(target), progress));
          ported = System.nanoTime();
          if (phases.isEmpty()) {
            Phases scanned = Phases.scan(catalog.phases(), files, target.words());
            target.words(scanned.words());
            phases = Optional.of(scanned);
          }
          unsaved = unsaved(() -> target.finish(files, selection, results));
          if (unsaved.isEmpty() && isPlain(nextRun, selection)) {
            next = target.unchanged(files, results, began, nextRun.program());
          }
        }
      }
    }
    long saved = System.nanoTime();
    results.sort(Comparator.comparing(FileResult::path));
    List<FileResult> all = results;
    Optional<CheckedPort> checked = Optional.empty();
    if (checks.check() && writer != null) {
      if (report.report() != null) { // a check can take long
        reporter.draft(assessed(reporter, phases.orElseThrow(), all));
      }
      CheckedPort compiled =
          CheckedPort.of(
              console,
              report.quiet(),
              catalog,
              writer.root(),
              original(writer.root()),
              files,
              porter,
              tree.jobs(),
              checks,
              results,
              outputs);
      all = compiled.results();
      checked = Optional.of(compiled);
    }
    Result result = assessed(reporter, phases.orElseThrow(), all);
    if (report.format() != ReportForm.TEXT) {
      reporter.print(result);
    }
    PortReport.print(console, report, result, diff, System.nanoTime() - start);
    checked
        .filter(c -> c.failure().isPresent() || !report.quiet())
        .ifPresent(c -> console.err().println(c.summary()));
    int code = reporter.finish(result);
    if (next.isPresent()) {
      Unchanged unchanged = next.get();
      Result again = assessed(reporter, phases.orElseThrow(), unchanged.results());
      nextRun.write(
          unchanged, spec.root().commandLine().getParseResult().originalArgs(), again, reporter);
    }
    if (times) {
      console.err().println(progress.line(walked, ported, saved));
    }
    if (unsaved.isEmpty()) {
      return checked.flatMap(CheckedPort::failure).map(ExitCode::code).orElse(code);
    }
    console
        .err()
        .println(
            "rocport: cannot save the state of this port in .rocport: "
                + unsaved
                + "; the ported files are complete, but run the port again before you edit or"
                + " undo them");
    return ExitCode.USAGE.code();
  }

  private boolean isPlain(NextRun nextRun, TreeSelection selection) throws IOException {
    boolean special = interactive || checks.check() || lines != null;
    return !special
        && out != null
        && !isFileName(selection)
        && choices.isBuiltIn()
        && nextRun.isPlain(tree.paths(), selection, out);
  }

  /** Asks about the changes; those in place are changes of the originals. */
  private boolean answered(
      @Nullable TreeWriter writer,
      OutputNames names,
      RuleCatalog catalog,
      Porter porter,
      SourceTree files,
      Decisions decisions)
      throws IOException, InterruptedException {
    Path root = tree.selection().root();
    if (!inPlace || writer == null) {
      return InteractivePort.ask(
          console, report, catalog, porter, files, Target.NONE, decisions, root);
    }
    Signals.guard(writer);
    try (InPlaceTarget standing = InPlaceTarget.open(writer, ShimHeaders.ofHome(), names)) {
      return InteractivePort.ask(
          console, report, catalog, porter, files, standing, decisions, writer.root());
    }
  }

  /** Returns what comments and decisions make of a target. */
  private UnaryOperator<Target> changed(PortOptions options, Path root) throws IOException {
    return inLines(options, changed(notes.onto(options, root), decisions(options, root)));
  }

  /** Returns the same for the lines that were asked for. */
  private UnaryOperator<Target> inLines(PortOptions options, UnaryOperator<Target> all) {
    if (lines == null) {
      return all;
    }
    if (options.style() == PortOptions.Style.SINGLE_SOURCE) {
      throw new UsageException(
          "--lines requires --style hip: in one tree for both platforms, a change and its gate"
              + " belong together");
    }
    LineRange range = LineRange.of(lines);
    return target -> new LinesTarget(all.apply(target), range.first(), range.last());
  }

  private static UnaryOperator<Target> changed(UnaryOperator<Target> noting, Decisions decisions) {
    return target -> DecidingTarget.onto(noting.apply(target), decisions);
  }

  private Decisions decisions(PortOptions options, Path root) throws IOException {
    if (options.style() == PortOptions.Style.HIP) {
      return Decisions.read(root);
    }
    if (interactive) {
      throw new UsageException(
          "--interactive requires --style hip: in one tree for both platforms, a change and its"
              + " gate belong together");
    }
    return Decisions.none();
  }

  private interface Save {
    void run() throws IOException;
  }

  private Result assessed(Reporter reporter, Phases phases, List<FileResult> files) {
    Result result = reporter.assess("port", tree.paths(), files);
    return result.with(phases.of(result));
  }

  /**
   * Returns why the state cannot be saved; empty if it was. The report must be written either way.
   */
  private static String unsaved(Save save) {
    try {
      save.run();
      return "";
    } catch (IOException e) {
      return SourceTree.reason(e);
    }
  }

  /** Returns the folder that was ported, unless there are several or the port replaced it. */
  private Optional<Path> original(Path root) {
    List<Path> paths = tree.paths();
    return paths.size() == 1 && Files.isDirectory(paths.getFirst()) && !paths.contains(root)
        ? Optional.of(paths.getFirst())
        : Optional.empty();
  }

  private int unannotate() throws IOException {
    TreeSelection selection = tree.selection();
    Path state = Undo.stateAbove(selection.root());
    TreeWriter writer = new TreeWriter(state == null ? selection.root() : state);
    Signals.guard(writer);
    List<FileResult> results = new Unannotate(writer).run(SourceTree.walk(selection));
    return PortReport.printUnannotated(console, report, results);
  }

  private int undo() throws IOException {
    TreeSelection selection = tree.selection();
    Path root = Undo.stateAbove(selection.root());
    if (root == null) {
      throw new UsageException("nothing was ported in " + selection.root());
    }
    TreeWriter writer = new TreeWriter(root);
    Signals.guard(writer);
    List<FileResult> results = new Undo(writer, force).run(selection.starts());
    return PortReport.printUndo(console, report, results);
  }
}
