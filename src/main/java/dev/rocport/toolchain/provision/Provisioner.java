package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.OpenMp;
import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.Manifest;
import dev.rocport.toolchain.packages.PackageList.Group;
import dev.rocport.toolchain.packages.PackageSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks packages into a new folder, tests the result, and only then makes it the toolchain. Until
 * the last step nothing that other processes read has changed.
 */
final class Provisioner {
  /** File in the root of a provisioned toolchain that records the results of probing. */
  static final String DESCRIPTOR = "toolchain.properties";

  /** Major version of the compiler that is installed where the machine has none. */
  static final int OWN_MAJOR = 19;

  // Bytes at the peak, package lists and downloads included; most is given back at the end.
  private static final long ROOM = 350_000_000;
  private static final long ROOM_WITH_COMPILER = 1_000_000_000;

  private final ToolchainRequest request;
  private final Consumer<String> progress;
  private final Staging staged;
  private final Path staging;
  private final Path scratch;
  private final List<Deb> used = new ArrayList<>();
  private boolean tried;

  /** The packages that the request names, once they have been asked for. */
  private @Nullable PackageSource offline;

  private Provisioner(ToolchainRequest request, Consumer<String> progress, Staging staged) {
    this.request = request;
    this.progress = progress;
    this.staged = staged;
    this.staging = staged.folder();
    this.scratch = staged.scratch();
  }

  /** Provisions a toolchain into the request's home; the caller holds the {@link InstallLock}. */
  static void install(ToolchainRequest request, Consumer<String> progress)
      throws IOException, ToolchainException {
    try (Staging staging = Staging.in(request.home())) {
      new Provisioner(request, progress, staging).run();
    }
  }

  private void run() throws IOException, ToolchainException {
    Probe probe = new Probe(scratch.resolve("probe"));
    Optional<Clang> system =
        request.useSystemCompiler()
            ? ClangLocator.usable(request.environment()).stream().findFirst()
            : Optional.empty();
    if (system.isEmpty()) {
      publish(own(probe, "this machine has no clang that compiles HIP"));
      return;
    }
    Toolchain toolchain;
    try {
      Set<Group> groups = new LinkedHashSet<>(List.of(Group.HIP));
      if (probe.host(system.get(), Optional.empty()).isPresent()) {
        groups.add(Group.SYSROOT);
      }
      if (OpenMp.of(system.get().driver()).isEmpty()) {
        groups.add(Group.OPENMP);
      }
      PackageSource packages = source(groups);
      toolchain =
          build(
              packages,
              () -> packages,
              () -> fetch(packages, Group.HIP, 0, system.get().major(), staging),
              probe,
              system.get());
      if (groups.contains(Group.OPENMP)) {
        unpackOpenMp(packages);
      }
    } catch (ToolchainException e) {
      if (!tried) {
        throw e;
      }
      progress.accept(String.valueOf(e.getMessage()));
      toolchain = own(probe, system.get().driver() + " does not work with any HIP headers");
    }
    publish(toolchain);
  }

  /** A toolchain with a compiler that comes with it. */
  private Toolchain own(Probe probe, String why) throws IOException, ToolchainException {
    progress.accept(why + ": installing one");
    used.clear();
    Folders.delete(staging.resolve("sysroot"));
    // The headers come from other suites than the compiler, and their lists are the longer ones.
    try (Beside beside = new Beside()) {
      Future<PackageSource> headers = beside.start(() -> source(Set.of(Group.HIP)));
      Future<List<Deb>> preferred =
          beside.start(
              () -> fetch(ParallelTasks.result(headers), Group.HIP, 0, OWN_MAJOR, staging));
      PackageSource packages = source(Set.of(Group.COMPILER, Group.SYSROOT));
      return build(
          packages,
          () -> ParallelTasks.result(headers),
          () -> ParallelTasks.result(preferred),
          probe,
          unpackCompiler(packages));
    }
  }

  /** Gives what is there already or is made now. */
  private interface Source<T> {
    T get() throws IOException, ToolchainException;
  }

  /**
   * Builds a toolchain around a compiler.
   *
   * @param packages has what a machine without C++ headers needs
   * @param headers has the HIP headers and the device libraries
   * @param preferred unpacks those in the preferred way
   */
  private Toolchain build(
      PackageSource packages,
      Source<PackageSource> headers,
      Source<List<Deb>> preferred,
      Probe probe,
      Clang clang)
      throws IOException, ToolchainException {
    Path sysroot = staging.resolve("sysroot");
    boolean needed = request.selfContained() || probe.host(clang, Optional.empty()).isPresent();
    if (needed) {
      unpackSysroot(packages, probe, clang, sysroot);
    }
    Optional<Path> root = needed ? Optional.of(sysroot) : Optional.empty();
    return assemble(headers.get(), preferred, probe, clang, root);
  }

  private PackageSource source(Set<Group> groups) throws IOException, ToolchainException {
    staged.room(groups.contains(Group.COMPILER) ? ROOM_WITH_COMPILER : ROOM);
    try {
      // Several threads ask, and an archive file is unpacked into one folder.
      return request.offline().isPresent()
          ? offline()
          : PackageSource.of(request, groups, scratch, progress);
    } catch (ToolchainException e) {
      throw new ToolchainException(
          e.getMessage() + "\nAlternatively, set ROCM_PATH to the folder of a ROCm installation.",
          e);
    }
  }

  private synchronized PackageSource offline() throws IOException, ToolchainException {
    if (offline == null) {
      offline = PackageSource.of(request, Set.of(), scratch, progress);
    }
    return offline;
  }

  private Clang unpackCompiler(PackageSource packages) throws IOException, ToolchainException {
    Path folder = staging.resolve("compiler");
    used.addAll(fetch(packages, Group.COMPILER, 0, OWN_MAJOR, folder));
    Path driver = CompilerWrapper.install(folder, Optional.empty());
    Optional<Clang> runs = Clang.at(driver);
    if (runs.isEmpty()) {
      // The machine's C library is older than the one that the compiler was linked with.
      progress.accept("the compiler needs a newer C library than this machine has: installing one");
      Path sysroot = staging.resolve("sysroot");
      used.addAll(fetch(packages, Group.SYSROOT, 0, OWN_MAJOR, sysroot));
      CompilerWrapper.install(folder, Optional.of(sysroot));
      runs = Clang.at(driver);
    }
    Clang clang =
        runs.orElseThrow(
            () ->
                new ToolchainException(
                    "the unpacked compiler does not run on this machine: " + said(driver)));
    Optional<String> lack = clang.lack();
    if (lack.isPresent()) {
      throw new ToolchainException("the unpacked compiler cannot be used: " + lack.get());
    }
    return clang;
  }

  private static String said(Path driver) {
    try {
      return ToolRun.of(List.of(driver.toString(), "--version")).tail(4);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** What {@code -fopenmp} needs, where the machine's clang lacks it; few programs do. */
  private void unpackOpenMp(PackageSource packages) throws IOException {
    try {
      progress.accept("this machine's clang has no OpenMP: installing it");
      Path folder = staging.resolve(OpenMp.FOLDER);
      used.addAll(fetch(packages, Group.OPENMP, 0, OWN_MAJOR, folder));
    } catch (ToolchainException e) {
      progress.accept("programs with -fopenmp cannot be built: " + e.getMessage());
    }
  }

  private void unpackSysroot(PackageSource packages, Probe probe, Clang clang, Path sysroot)
      throws IOException, ToolchainException {
    if (!Files.isDirectory(sysroot)) {
      progress.accept(
          request.selfContained()
              ? "installing a C++ library"
              : "this machine has no C++ headers: installing them");
      used.addAll(fetch(packages, Group.SYSROOT, 0, OWN_MAJOR, sysroot));
    }
    Optional<String> failure = probe.host(clang, Optional.of(sysroot));
    if (failure.isPresent()) {
      throw new ToolchainException("a plain C++ program cannot be built:\n" + failure.get());
    }
  }

  /** Tries each way to get the headers until one works. */
  private Toolchain assemble(
      PackageSource packages,
      Source<List<Deb>> preferred,
      Probe probe,
      Clang clang,
      Optional<Path> sysroot)
      throws IOException, ToolchainException {
    List<String> failures = new ArrayList<>();
    for (int g = 0; g < packages.generations(Group.HIP); g++) {
      int kept = used.size();
      try {
        used.addAll(
            g == 0 ? preferred.get() : fetch(packages, Group.HIP, g, clang.major(), staging));
        Toolchain whole = complete(Assembly.of(staging, clang, sysroot), probe);
        if (!failures.isEmpty()) {
          progress.accept(
              "using HIP %s, because the preferred headers do not work here (see the messages above)"
                  .formatted(whole.hip()));
        }
        return whole;
      } catch (ToolchainException e) {
        if (packages.generations(Group.HIP) == 1) {
          throw e;
        }
        failures.add(String.valueOf(e.getMessage()));
        progress.accept("these HIP headers do not work here: " + e.getMessage());
        used.subList(kept, used.size()).clear();
        Folders.delete(staging.resolve("usr"));
        Folders.delete(staging.resolve("lib"));
      }
    }
    throw new ToolchainException(
        "no HIP headers and device libraries that work with "
            + clang.version()
            + ":\n"
            + String.join("\n", failures));
  }

  private Toolchain complete(Toolchain bare, Probe probe) throws IOException, ToolchainException {
    progress.accept("trying " + bare.clangVersion() + " with HIP " + bare.hip());
    tried = true;
    Path devLibs =
        Folders.find(staging.resolve("usr/lib"), "libamdhip64.so")
            .map(Path::getParent)
            .orElse(staging.resolve("usr/lib"));
    try (Beside beside = new Beside()) {
      Future<SortedSet<Library>> libraries =
          beside.start(
              () -> new ImportLibraries(bare, scratch.resolve("import")).generate(devLibs));
      List<GfxTarget> targets = probe.targets(bare);
      progress.accept("creating the libraries to link with");
      Toolchain whole = bare.having(targets, ParallelTasks.result(libraries));
      probe.link(whole);
      Assembly.programs(whole);
      return whole;
    }
  }

  private List<Deb> fetch(
      PackageSource packages, Group group, int generation, int compilerMajor, Path into)
      throws IOException, ToolchainException {
    return packages.obtain(group, generation, compilerMajor, scratch, deb -> deb.unpack(into));
  }

  private void publish(Toolchain toolchain) throws IOException {
    Manifest manifest = new Manifest(used);
    Files.writeString(staging.resolve(Manifest.FILE), manifest.text());
    boolean own = toolchain.clang().startsWith(staging);
    Descriptor.write(
        staging.resolve(DESCRIPTOR), toolchain, Map.of("compiler", own ? "own" : "system"));
    String fingerprint = toolchain.fingerprint().substring(0, 8);
    staged.publish("hip-" + toolchain.hip() + "-" + fingerprint + (own ? "-own" : ""), "current");
  }
}
