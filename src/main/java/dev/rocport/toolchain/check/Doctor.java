package dev.rocport.toolchain.check;

import dev.rocport.toolchain.Check;
import dev.rocport.toolchain.GfxTarget;
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
import dev.rocport.toolchain.provision.Probe;
import dev.rocport.toolchain.provision.RocmLocator;
import dev.rocport.toolchain.provision.Toolchains;
import dev.rocport.toolchain.runtime.Gpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Examines whether this machine can build and run ported code, and recommends fixes. */
public final class Doctor {
  private static final int JAVA = 25;

  private final ToolchainRequest request;
  private final List<Extra> extras;
  private final Path machine;
  private final List<Check> checks = new ArrayList<>();

  private Doctor(ToolchainRequest request, List<Extra> extras, Path machine) {
    this.request = request;
    this.extras = extras;
    this.machine = machine;
  }

  /**
   * Examines the machine; nothing is installed.
   *
   * @param extras what projects may need
   */
  public static List<Check> examine(ToolchainRequest request, List<Extra> extras)
      throws ToolchainException {
    Doctor doctor = new Doctor(request.withoutProvisioning(), extras, Path.of("/"));
    try {
      return doctor.run();
    } catch (IOException e) {
      throw new ToolchainException("cannot examine this machine: " + e.getMessage(), e);
    }
  }

  private List<Check> run() throws IOException {
    java();
    rocm();
    Optional<Toolchain> toolchain = toolchain();
    compilers(toolchain);
    program("make", "projects with a Makefile need it: apt install make");
    for (Extra extra : extras) {
      extra(extra);
    }
    program("cmake", "projects with CMake files need it: apt install cmake");
    if (toolchain.isEmpty()) {
      archive();
    }
    checks.add(Gpus.check(machine, toolchain));
    return List.copyOf(checks);
  }

  private void java() {
    int feature = Runtime.version().feature();
    String found = Runtime.version() + " in " + System.getProperty("java.home");
    checks.add(
        feature >= JAVA
            ? Check.ok("JDK", found)
            : Check.problem("JDK", found, "install JDK " + JAVA + " and set JAVA_HOME"));
  }

  private void rocm() throws IOException {
    List<RocmLocator.Parts> found = new RocmLocator(machine, request.environment()).candidates();
    for (RocmLocator.Parts p : found) {
      checks.add(
          p.complete()
              ? Check.ok("ROCm", p.root().toString())
              : Check.note(
                  "ROCm",
                  p.root() + " lacks " + String.join(", ", p.missing()),
                  "not used; install the rest of ROCm there"));
    }
    String named = request.environment().getOrDefault("ROCM_PATH", "");
    if (!named.isEmpty() && !Files.isDirectory(Path.of(named))) {
      checks.add(Check.note("ROCm", "ROCM_PATH=" + named, "no such folder: unset the variable"));
    } else if (found.isEmpty()) {
      checks.add(Check.ok("ROCm", "none; rocport builds with its own toolchain"));
    }
  }

  private Optional<Toolchain> toolchain() {
    try {
      List<String> said = new ArrayList<>();
      Toolchain t = Toolchains.require(request, said::add);
      checks.add(Check.ok("toolchain", "HIP " + t.hip() + " in " + t.root()));
      checks.add(Check.ok("device libs", t.deviceLibs().toString()));
      String targets = t.targets().stream().map(GfxTarget::id).collect(Collectors.joining(" "));
      checks.add(
          t.targets().containsAll(Probe.OPTIONAL)
              ? Check.ok("targets", targets)
              : Check.note("targets", targets, "the compiler does not support " + Probe.OPTIONAL));
      absent(t);
      return Optional.of(t);
    } catch (ToolchainException e) {
      checks.add(
          Check.problem(
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
    checks.add(
        absent.isEmpty()
            ? Check.ok("libraries", "all " + t.libraries().size())
            : Check.note("libraries", "absent: " + absent, "code that uses them cannot be built"));
  }

  private void compilers(Optional<Toolchain> toolchain) {
    if (toolchain.isPresent()) {
      checks.add(
          Check.ok("clang", toolchain.get().clang() + ": " + toolchain.get().clangVersion()));
      return;
    }
    List<Clang> all = ClangLocator.all(request.environment());
    for (Clang c : all) {
      Optional<String> lack = c.lack();
      checks.add(
          lack.isEmpty()
              ? Check.ok("clang", c.driver() + ": " + c.version())
              : Check.note("clang", c.driver() + ": " + lack.get(), "not used for HIP"));
    }
    if (all.isEmpty()) {
      checks.add(Check.note("clang", "none", "an installation provides one"));
    }
  }

  private void program(String name, String advice) {
    String path = request.environment().getOrDefault("PATH", "");
    for (String entry : path.split(":")) {
      Path file = Path.of(entry.isEmpty() ? "/" : entry).resolve(name);
      if (entry.startsWith("/") && Files.isExecutable(file)) {
        checks.add(Check.ok(name, file.toString()));
        return;
      }
    }
    checks.add(Check.note(name, "none", advice));
  }

  private void extra(Extra extra) {
    try {
      Optional<ExtraTools> tools = Extras.find(extra, request);
      String advice =
          "installed when first needed; or run 'rocport toolchain install --with %s', or '%s'"
              .formatted(extra.label(), extra.advice());
      checks.add(
          tools
              .map(t -> Check.ok(extra.label(), extra.title() + " in " + t.bin()))
              .orElseGet(() -> Check.note(extra.label(), "none", advice)));
    } catch (ToolchainException e) {
      checks.add(Check.note(extra.label(), "none", String.valueOf(e.getMessage())));
    }
  }

  private void archive() {
    Map<String, String> environment = request.environment();
    program("apt-get", "without it, use --offline or a real ROCm");
    try {
      AptSources.debian(machine.resolve("etc/apt"), environment);
      checks.add(Check.ok("archive", "a Debian archive and its keys are configured"));
    } catch (ToolchainException e) {
      checks.add(Check.problem("archive", "none", String.valueOf(e.getMessage())));
    }
  }
}
