package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.Builder;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.Globs;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.port.OutputNames;
import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.RenamedSources;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.StateException;
import dev.rocport.port.TreeTarget;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Ports and builds, as the commands of these names do. */
final class Workshop {
  private static final Duration COMPILER = Duration.ofMinutes(15);
  private static final long LARGEST = 32L << 20;

  private final RuleCatalog catalog;
  private final PortOptions port;
  private final Toolchain toolchain;
  private final VerifyOptions options;

  Workshop(RuleCatalog catalog, PortOptions port, Toolchain toolchain, VerifyOptions options) {
    this.catalog = catalog;
    this.port = port;
    this.toolchain = toolchain;
    this.options = options;
  }

  /** What {@link #make} made; {@code ok} if all of it was built. */
  record Made(BuildResult build, boolean ok) {}

  /**
   * Ports and builds a fixture.
   *
   * @param tree the folder of both
   * @param findings receives those of both
   * @param progress receives a line for each step
   */
  Made make(Fixture fixture, Path tree, Findings findings, Consumer<String> progress)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    String name = fixture.name();
    progress.accept(name + ": port");
    for (FileResult f : port(fixture.folder(), tree)) {
      findings.addAll(name, f.findings());
      if (f.status() == FileResult.Status.FAILED) {
        findings.add(name + "/" + f.path(), "", new Problem(Problem.RUN, f.message()));
      }
    }
    progress.accept(name + ": build");
    BuildResult build = build(fixture, tree);
    boolean ok =
        build.count(UnitResult.Status.FAILED) == 0
            && build.count(LinkResult.Status.FAILED) == 0
            && build.findings().stream().noneMatch(f -> f.severity() == Severity.ERROR);
    findings.addAll(name, build.allFindings());
    return new Made(build, ok);
  }

  /** Ports a folder into another, recordings left out. */
  List<FileResult> port(Path from, Path to) throws IOException, VerifyException {
    Files.createDirectories(to);
    TreeSelection selection =
        TreeSelection.of(List.of(from))
            .with(Globs.NONE, Globs.of(List.of(Fixture.GOLDEN + "/**")))
            .withOutputs(Set.of(to.toRealPath()));
    SourceTree tree = SourceTree.walk(selection);
    Porter porter = new Porter(catalog, port, RenamedSources.NONE, options.jobs(), LARGEST);
    List<FileResult> results = new ArrayList<>();
    try (TreeTarget target =
        TreeTarget.open(
            new TreeWriter(to.toRealPath()), ShimHeaders.ofHome(), OutputNames.same(), false)) {
      results.addAll(porter.run(tree, target, ProgressListener.NONE));
      target.finish(tree, selection, results);
    } catch (StateException e) {
      throw new VerifyException(from + ": " + e.getMessage());
    }
    return results;
  }

  /** Builds the ported tree of a fixture as its description says. */
  BuildResult build(Fixture fixture, Path tree)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    if (fixture.build().equals(JavaPrograms.BUILD)) {
      return JavaPrograms.built(options.targets());
    }
    Optional<String> standard =
        fixture.build().equals("plain") ? Optional.of(fixture.standard()) : Optional.empty();
    return build(tree, standard, fixture.configure(), fixture.goals());
  }

  /**
   * Builds a ported tree.
   *
   * @param standard language standard if the project does not specify one
   * @param configure arguments for the project's configure
   * @param make targets and variables for the project's make
   */
  BuildResult build(Path tree, Optional<String> standard, List<String> configure, List<String> make)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    return build(tree, standard, configure, make, List.of());
  }

  /**
   * The same with macros.
   *
   * @param defines their names
   */
  BuildResult build(
      Path tree,
      Optional<String> standard,
      List<String> configure,
      List<String> make,
      List<String> defines)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path root = tree.toRealPath();
    Path headers = HipRuntime.installation().resolve("hip-runtime/include");
    BuildOptions build =
        new BuildOptions(
            root,
            root.resolve(Programs.BUILD),
            options.targets(),
            options.jobs(),
            false,
            standard,
            List.of(headers),
            defines,
            List.of(),
            false,
            true,
            make,
            configure,
            COMPILER,
            options.cache(),
            Map.of("CPATH", headers.toString()),
            false);
    try {
      return Builder.of(build, toolchain, catalog, Optional.empty(), BuildListener.SILENT).build();
    } catch (PlanException e) {
      // The user knows the tree by its name, not by the folder that it was ported to.
      String name = String.valueOf(root.getFileName());
      throw new VerifyException(String.valueOf(e.getMessage()).replace(root.toString(), name));
    }
  }
}
