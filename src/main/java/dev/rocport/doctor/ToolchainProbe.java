package dev.rocport.doctor;

import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.GpuTargets;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.AptSources;
import dev.rocport.toolchain.provision.Clang;
import dev.rocport.toolchain.provision.ClangLocator;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraTools;
import dev.rocport.toolchain.provision.Extras;
import dev.rocport.toolchain.provision.RocmLocator;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.Gpus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks whether this machine can build and run ported code. */
public final class ToolchainProbe {
  private static final int JAVA = 25;

  private final Machine machine;
  private final ToolchainRequest request;
  private final List<Extra> extras;
  private final List<Observation> found = new ArrayList<>();

  private ToolchainProbe(Machine machine, ToolchainRequest request, List<Extra> extras) {
    this.machine = machine;
    this.request = request;
    this.extras = extras;
  }

  /**
   * Looks at the toolchain that builds would use; nothing is installed.
   *
   * @param extras what projects may need
   */
  public static List<Observation> observe(
      Machine machine, ToolchainRequest request, List<Extra> extras) throws ToolchainException {
    ToolchainProbe probe = new ToolchainProbe(machine, request.withoutProvisioning(), extras);
    try {
      return probe.run();
    } catch (IOException e) {
      throw new ToolchainException("cannot examine this machine: " + e.getMessage(), e);
    }
  }

  private List<Observation> run() throws IOException {
    java();
    rocm();
    Optional<Toolchain> toolchain = toolchain();
    compilers(toolchain);
    program("make", "projects with a Makefile need it: apt install make");
    for (Extra extra : extras) {
      extra(extra);
    }
    program("cmake", "projects with CMake files need it: apt install cmake");
    if (toolchain.isPresent()) {
      gpus(toolchain.get());
    } else {
      archive();
    }
    return List.copyOf(found);
  }

  private void java() {
    int feature = Runtime.version().feature();
    String version = Runtime.version() + " in " + System.getProperty("java.home");
    found.add(
        feature >= JAVA
            ? ok("JDK", version)
            : problem("JDK", version, "install JDK " + JAVA + " and set JAVA_HOME"));
  }

  private void rocm() throws IOException {
    List<RocmLocator.Parts> there =
        new RocmLocator(machine.root(), request.environment()).candidates();
    for (RocmLocator.Parts p : there) {
      found.add(
          p.complete()
              ? ok("ROCm", p.root().toString())
              : note(
                  "ROCm",
                  p.root() + " lacks " + String.join(", ", p.missing()),
                  "not used; install the rest of ROCm there"));
    }
    // A ROCM_PATH without a folder is reported with the other variables.
    if (there.isEmpty()) {
      found.add(ok("ROCm", "none; rocport builds with its own toolchain"));
    }
  }

  private Optional<Toolchain> toolchain() {
    try {
      List<String> said = new ArrayList<>();
      Toolchain t = Toolchains.require(request, said::add);
      found.add(ok("toolchain", "HIP " + t.hip() + " in " + t.root()));
      found.add(ok("device libs", t.deviceLibs().toString()));
      String targets = t.targets().stream().map(GfxTarget::id).collect(Collectors.joining(" "));
      found.add(
          t.targets().containsAll(GpuTargets.OPTIONAL)
              ? ok("targets", targets)
              : note(
                  "targets",
                  targets,
                  "builds for %s install a second compiler when it is first needed"
                      .formatted(GpuTargets.OPTIONAL)));
      absent(t);
      return Optional.of(t);
    } catch (ToolchainException e) {
      found.add(
          problem(
              "toolchain",
              "none",
              "run 'rocport toolchain install', or install ROCm and set ROCM_PATH"));
      return Optional.empty();
    }
  }

  private void absent(Toolchain t) {
    String absent =
        Arrays.stream(Library.values())
            .filter(l -> !t.libraries().contains(l))
            .map(Library::linkName)
            .collect(Collectors.joining(" "));
    found.add(
        absent.isEmpty()
            ? ok("libraries", "all " + t.libraries().size())
            : note("libraries", "absent: " + absent, "code that uses them cannot be built"));
  }

  private void compilers(Optional<Toolchain> toolchain) {
    if (toolchain.isPresent()) {
      found.add(ok("clang", toolchain.get().clang() + ": " + toolchain.get().clangVersion()));
      return;
    }
    List<Clang> all = ClangLocator.all(request.environment());
    for (Clang c : all) {
      Optional<String> lack = c.lack();
      found.add(
          lack.isEmpty()
              ? ok("clang", c.driver() + ": " + c.version())
              : note("clang", c.driver() + ": " + lack.get(), "not used for HIP"));
    }
    if (all.isEmpty()) {
      found.add(note("clang", "none", "'rocport toolchain install' installs one"));
    }
  }

  private void program(String name, String advice) {
    found.add(
        machine
            .program(name)
            .map(path -> ok(name, path))
            .orElseGet(() -> note(name, "none", advice)));
  }

  private void extra(Extra extra) {
    try {
      Optional<ExtraTools> tools = Extras.find(extra, request);
      String advice =
          "installed when first needed; or run 'rocport toolchain install --with %s', or '%s'"
              .formatted(extra.label(), extra.advice());
      found.add(
          tools
              .map(t -> ok(extra.label(), extra.title() + " in " + t.bin()))
              .orElseGet(() -> note(extra.label(), "none", advice)));
    } catch (ToolchainException e) {
      found.add(note(extra.label(), "none", String.valueOf(e.getMessage())));
    }
  }

  private void archive() {
    program("apt-get", "without it, use --offline or an installed ROCm");
    try {
      AptSources.debian(machine.root().resolve("etc/apt"), request.environment());
      found.add(ok("archive", "a Debian archive and its keys are configured"));
    } catch (ToolchainException e) {
      found.add(problem("archive", "none", String.valueOf(e.getMessage())));
    }
  }

  /** Reports only GPUs that builds are not tested for: all GPUs have a section of their own. */
  private void gpus(Toolchain toolchain) throws IOException {
    String foreign =
        Gpus.of(machine.root()).stream()
            .filter(g -> !toolchain.supports(g))
            .map(GfxTarget::id)
            .distinct()
            .collect(Collectors.joining(" "));
    if (!foreign.isEmpty()) {
      found.add(note("GPU", foreign, "the toolchain was not tested for this architecture"));
    }
  }

  private static Observation ok(String name, String found) {
    return Observation.ok(Section.TOOLCHAIN, name, found);
  }

  /** Something that some uses need is not there. */
  private static Observation note(String name, String found, String fix) {
    return Observation.of(Section.TOOLCHAIN, name, Status.NOTE, found, "", fix);
  }

  /** Ported code cannot be built. */
  private static Observation problem(String name, String found, String fix) {
    return Observation.of(Section.TOOLCHAIN, name, Status.PROBLEM, found, "", fix);
  }
}
