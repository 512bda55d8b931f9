package dev.rocport.cli.build;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.report.Reporter;
import dev.rocport.cli.support.AnyWord;
import dev.rocport.cli.support.BuildSteps;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.core.result.BuildInfo;
import dev.rocport.core.result.PortStatus.Step;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Topic;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.UserFolders;
import dev.rocport.port.status.Steps;
import dev.rocport.render.ReportForm;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport build}. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compiles every translation unit of a ported tree, for device and host, and links the"
          + " programs that have a main function.",
      "Uses compile_commands.json if the tree has one, else the build of the tree (configure.ac,"
          + " setup.py, a Makefile, CMakeLists.txt, meson.build, Bazel files or a build script)."
          + " If there is none, compiles every source."
    },
    footer = {
      "",
      "Examples:",
      "  rocport build ported",
      "  rocport build ported --target gfx942 --jobs 8",
      "  rocport build ported --configure-arg=-DBUILD_TESTING=OFF"
    })
public final class BuildCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "DIR", description = "The ported tree.")
  private Path root;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "MAKE_ARG",
      description = "Targets and variables for make, if the tree has or gets a Makefile.")
  private List<String> makeArguments = new ArrayList<>();

  @Option(
      names = "--target",
      split = ",",
      paramLabel = "GFX",
      defaultValue = GpuTargets.DEFAULT,
      description = "GPU targets (default: ${DEFAULT-VALUE}).")
  private List<String> targets;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for objects and programs (default: DIR/build-rocport).")
  private @Nullable Path out;

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Number of parallel compilers (default: one for each core).")
  private int jobs = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--original",
      paramLabel = "DIR",
      description =
          "Original CUDA tree, to which errors refer (default: the tree that the port recorded).")
  private @Nullable Path original;

  @Option(
      names = "--configure-arg",
      paramLabel = "ARG",
      parameterConsumer = AnyWord.class,
      description = "Pass this to configure, cmake, meson or bazel, after the rocport arguments.")
  private List<String> configureArguments = new ArrayList<>();

  @Option(names = "--plain", description = "Ignore the tree's build files.")
  private boolean plain;

  @Option(
      names = "--std",
      paramLabel = "STD",
      description = "Language standard for trees without build files (default: gnu++17, as nvcc).")
  private @Nullable String standard;

  @Option(
      names = "-I",
      paramLabel = "DIR",
      description = "Add this folder to the header search path.")
  private List<Path> includes = new ArrayList<>();

  @Option(names = "-D", paramLabel = "NAME[=VALUE]", description = "Define this macro.")
  private List<String> defines = new ArrayList<>();

  @Option(
      names = "--lib",
      split = ",",
      paramLabel = "NAME",
      description = "Also link programs of trees without build files with this library.")
  private List<String> libraries = new ArrayList<>();

  @Option(
      names = "--rdc",
      description =
          "Link device code across files in trees without build files (otherwise detected;"
              + " slower).")
  private boolean rdc;

  @Option(
      names = "-g0",
      description = "Omit line tables: smaller objects, but device reports name no source lines.")
  private boolean noLines;

  @Option(names = "-g", hidden = true, description = "Keep source lines, which is the default.")
  private boolean lines;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "900",
      description = "Time limit for one compiler run (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(names = "--no-cache", description = "Neither read nor write the object cache.")
  private boolean noCache;

  @Mixin private ReportChoices report;

  public BuildCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, IOException, InterruptedException {
    BuildOptions options = options();
    Toolchain toolchain =
        ToolchainCommand.require(targets, ToolchainCommand.progress(console, report.quiet()));
    RuleCatalog catalog = RuleCatalog.builtIn();
    Reporter reporter =
        new Reporter(
            console,
            report,
            catalog,
            // Suppressions of a port's rules are in the same file; a build ignores them.
            catalog.only(Topic.BUILD),
            described(options),
            options.root());
    BuildResult result;
    try {
      result =
          Builder.of(
                  options,
                  toolchain,
                  catalog,
                  Optional.ofNullable(original),
                  BuildSteps.of(console, report.quiet()))
              .build();
    } catch (PlanException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UsageException(SourceTree.reason(e));
    }
    BuildReport built = new BuildReport(result, options.root());
    Result assessed = reporter.assess("build", List.of(root), built.files()).with(built.info());
    record(options.root(), built.info());
    BuildText text = new BuildText(report.paper(console), options.root());
    if (report.format() == ReportForm.TEXT) {
      console.out().print(text.render(result, assessed));
    } else {
      reporter.print(assessed);
      if (!report.quiet()) {
        console.err().print(text.summary(result));
      }
    }
    BuildText plainText = new BuildText(Paper.PLAIN, options.root());
    return reporter.finish(assessed, () -> plainText.render(result, assessed));
  }

  /** Notes in the record of a ported tree what was built, for {@code rocport status}. */
  private void record(Path root, BuildInfo info) {
    Optional<Steps> record = Steps.around(root);
    if (record.isEmpty()) {
      return;
    }
    List<Step> steps = new ArrayList<>();
    for (BuildInfo.Unit u : info.units()) {
      if (!u.status().equals("compiled")) {
        steps.add(new Step("build", u.path(), false, u.status(), List.of(), Steps.today()));
      }
    }
    for (BuildInfo.Link l : info.links()) {
      if (l.status().equals("skipped")) {
        continue;
      }
      TreeSet<String> kernels = new TreeSet<>();
      l.kernels().values().forEach(kernels::addAll);
      boolean ok = l.status().equals("linked");
      steps.add(new Step("build", l.path(), ok, l.status(), List.copyOf(kernels), Steps.today()));
    }
    String problem = record.get().noteBuild(steps);
    if (!problem.isEmpty()) {
      console.err().println(problem);
    }
  }

  private SortedMap<String, String> described(BuildOptions options) {
    SortedMap<String, String> map = new TreeMap<>();
    map.put("target", String.join(",", options.targets()));
    map.put("plain", String.valueOf(options.plain()));
    map.put("rdc", String.valueOf(options.relocatable()));
    map.put("lines", String.valueOf(options.lines()));
    options.standard().ifPresent(s -> map.put("std", s));
    return map;
  }

  private BuildOptions options() {
    if (jobs < 1) {
      throw new UsageException("--jobs must be 1 or more, not " + jobs);
    }
    if (timeout < 1) {
      throw new UsageException("--timeout must be 1 or more, not " + timeout);
    }
    if (!Files.isDirectory(root)) {
      throw new UsageException(root + ": no such folder");
    }
    Path tree;
    try {
      tree = root.toRealPath();
    } catch (IOException e) {
      throw new UsageException(SourceTree.reason(e));
    }
    Path into = out == null ? tree.resolve("build-rocport") : out.toAbsolutePath().normalize();
    if (tree.startsWith(into)) {
      throw new UsageException("--out " + out + ": contains the sources");
    }
    return new BuildOptions(
        tree,
        into,
        targets,
        jobs,
        plain,
        Optional.ofNullable(standard),
        includes,
        defines,
        libraries,
        rdc,
        lines || !noLines,
        makeArguments,
        configureArguments,
        Duration.ofSeconds(timeout),
        noCache ? Optional.empty() : Optional.of(cacheFolder()),
        Map.of(),
        false);
  }

  public static Path cacheFolder() {
    return UserFolders.cache(System.getenv()).resolve("objects");
  }
}
