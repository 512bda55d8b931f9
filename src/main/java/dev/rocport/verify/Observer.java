package dev.rocport.verify;

import dev.rocport.build.project.PythonProject;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import dev.rocport.toolchain.runtime.StandIns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs programs of ported trees and gathers what they leave. */
final class Observer {
  private final VerifyOptions options;
  private final Platform platform;
  private final NumberedFolders scratches;

  Observer(VerifyOptions options, Platform platform) {
    this.options = options;
    this.platform = platform;
    this.scratches = new NumberedFolders(options.work().resolve("runs"));
  }

  /**
   * Runs a program in its tree to its end; one in Python is started by Python, one in Java by java.
   *
   * @param again 0 for the first run in the fixed order of waves, else the number of another order
   *     where the platform has orders
   */
  Observed observe(RunCase c, Path tree, Path program, int again)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    RunSpec run = c.run();
    Path scratch = scratches.next();
    Path golden = scratch.resolve("tensors");
    Path rows = Files.createDirectories(scratch.resolve("checks")).resolve(Golden.CHECKS);
    Map<String, String> variables = new TreeMap<>(run.environment());
    variables.put("ROCPORT_CHECKS", rows.toString());
    Path found = scratch.resolve("findings.jsonl");
    variables.put(RunFindings.VARIABLE, found.toString());
    Path libraries = Files.createFile(scratch.resolve("libraries"));
    variables.put(StandIns.VARIABLE, libraries.toString());
    if (run.tensors()) {
      variables.put("ROCPORT_GOLDEN_OUT", golden.toString());
    }
    for (String file : run.files()) {
      Files.deleteIfExists(tree.resolve(file));
    }
    List<String> command = new ArrayList<>();
    if (program.toString().endsWith(".py")) {
      ToolchainRequest request = ToolchainRequest.of(System.getenv());
      command.add(
          Extras.require(PythonProject.TOOLS, request, x -> {}).program("python3").toString());
      variables.put("PYTHONDONTWRITEBYTECODE", "1");
    } else if (JavaPrograms.is(program.toString())) {
      command.addAll(JavaPrograms.command());
    }
    command.add(program.toString());
    run.args().forEach(a -> command.add(a.replace("{np}", Integer.toString(c.ranks()))));
    ProgramRun ended =
        platform.run(
            command,
            tree,
            c.target(),
            c.ranks(),
            run.gpus(),
            preload(run, tree),
            variables,
            platform.ordered(options.checks(), again),
            options.limit().orElse(run.limit()),
            scratch);
    SortedMap<String, Optional<byte[]>> files = new TreeMap<>();
    for (String file : run.files()) {
      Path at = tree.resolve(file);
      files.put(
          file, Files.isRegularFile(at) ? Optional.of(Files.readAllBytes(at)) : Optional.empty());
    }
    return new Observed(
        ended,
        SeenFinding.defects(found),
        files,
        Golden.tensors(golden),
        Golden.rows(scratch.resolve("checks")),
        LoadedLibraries.noted(libraries));
  }

  /** What tells a run from the first one. */
  String how(int again) {
    return platform.isOrdered(again) ? "order " + again : "run " + (again + 1);
  }

  private static Optional<Path> preload(RunSpec run, Path tree) throws VerifyException {
    if (run.preload().isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> library = new Programs(tree).library(run.preload().get());
    if (library.isEmpty()) {
      throw new VerifyException("the build did not produce " + run.preload().get());
    }
    return library;
  }
}
