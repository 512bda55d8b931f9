package dev.rocport.toolchain;

import dev.rocport.toolchain.PackageList.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;

/**
 * Unpacks packages into a new folder, tries what came out, and only then makes it the toolchain.
 * Until the last step nothing that others read has changed.
 */
final class Provisioner {
  /** File in the root of a provisioned toolchain that says what probing found. */
  static final String DESCRIPTOR = "toolchain.properties";

  /** Major version of the compiler that is installed where the machine has none. */
  static final int OWN_MAJOR = 19;

  // Bytes at the peak, package lists and downloads included; most is given back at the end.
  private static final long ROOM = 350_000_000;
  private static final long ROOM_WITH_COMPILER = 1_000_000_000;

  private final ToolchainRequest request;
  private final Consumer<String> progress;
  private final Path staging;
  private final Path scratch;
  private final List<Deb> used = new ArrayList<>();
  private boolean tried;

  private Provisioner(ToolchainRequest request, Consumer<String> progress, Path staging) {
    this.request = request;
    this.progress = progress;
    this.staging = staging;
    this.scratch = staging.resolve(".work");
  }

  /** Provisions a toolchain into the request's home; the caller holds the {@link InstallLock}. */
  static void install(ToolchainRequest request, Consumer<String> progress)
      throws IOException, ToolchainException {
    Path installs = Files.createDirectories(request.home().resolve("installs"));
    sweep(installs);
    Path staging = Files.createTempDirectory(installs, ".staging-").toRealPath();
    Thread cleaner = Thread.ofPlatform().unstarted(() -> quietlyDelete(staging));
    Runtime.getRuntime().addShutdownHook(cleaner);
    try {
      new Provisioner(request, progress, staging).run(installs);
    } finally {
      quietlyDelete(staging);
      if (!Thread.currentThread().isInterrupted()) {
        removeHook(cleaner);
      }
    }
  }

  private void run(Path installs) throws IOException, ToolchainException {
    Probe probe = new Probe(scratch.resolve("probe"));
    Optional<Clang> system =
        request.useSystemCompiler()
            ? ClangLocator.usable(request.environment()).stream().findFirst()
            : Optional.empty();
    if (system.isEmpty()) {
      publish(installs, own(probe, "this machine has no clang that compiles HIP"));
      return;
    }
    Toolchain toolchain;
    try {
      EnumSet<Group> groups = EnumSet.of(Group.HIP);
      if (probe.host(system.get(), Optional.empty()).isPresent()) {
        groups.add(Group.SYSROOT);
      }
      toolchain = build(source(groups), probe, system.get());
    } catch (ToolchainException e) {
      if (!tried) {
        throw e;
      }
      progress.accept(String.valueOf(e.getMessage()));
      toolchain = own(probe, system.get().driver() + " does not work with any HIP headers");
    }
    publish(installs, toolchain);
  }

  /** A toolchain with a compiler that comes with it. */
  private Toolchain own(Probe probe, String why) throws IOException, ToolchainException {
    progress.accept(why + ": taking one");
    used.clear();
    PackageSource packages = source(EnumSet.allOf(Group.class));
    return build(packages, probe, unpackCompiler(packages));
  }

  private Toolchain build(PackageSource packages, Probe probe, Clang clang)
      throws IOException, ToolchainException {
    Path sysroot = staging.resolve("sysroot");
    boolean bareHost = probe.host(clang, Optional.empty()).isPresent();
    if (bareHost) {
      unpackSysroot(packages, probe, clang, sysroot);
    }
    return assemble(packages, probe, clang, bareHost ? Optional.of(sysroot) : Optional.empty());
  }

  /** Refuses early: apt itself waits forever when the disk fills up while it writes its lists. */
  private void room(EnumSet<Group> groups) throws IOException, ToolchainException {
    long needed = groups.contains(Group.COMPILER) ? ROOM_WITH_COMPILER : ROOM;
    long free = Files.getFileStore(staging).getUsableSpace();
    if (free < needed) {
      throw new ToolchainException(
          "%d MB are free in %s and an installation takes up to %d MB: free some space or set"
                  .formatted(free / 1_000_000, request.home(), needed / 1_000_000)
              + " ROCPORT_TOOLCHAIN to a folder elsewhere");
    }
  }

  private PackageSource source(EnumSet<Group> groups) throws IOException, ToolchainException {
    room(groups);
    if (request.offline().isPresent()) {
      return new FolderPackages(request.offline().get());
    }
    AptSource debian = AptSources.debian(Path.of("/etc/apt"), request.environment());
    return new ArchivePackages(debian, groups, Files.createTempDirectory(scratch, "apt"), progress);
  }

  private Clang unpackCompiler(PackageSource packages) throws IOException, ToolchainException {
    Path folder = staging.resolve("compiler");
    unpack(packages.obtain(Group.COMPILER, 0, OWN_MAJOR, scratch), folder);
    Path driver = CompilerWrapper.install(folder);
    Clang clang =
        Clang.at(driver)
            .orElseThrow(
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

  private void unpackSysroot(PackageSource packages, Probe probe, Clang clang, Path sysroot)
      throws IOException, ToolchainException {
    progress.accept("this machine has no C++ headers: taking them");
    unpack(packages.obtain(Group.SYSROOT, 0, OWN_MAJOR, scratch), sysroot);
    Optional<String> failure = probe.host(clang, Optional.of(sysroot));
    if (failure.isPresent()) {
      throw new ToolchainException("a plain C++ program cannot be built:\n" + failure.get());
    }
  }

  /** Tries each way to get the headers until one works. */
  private Toolchain assemble(
      PackageSource packages, Probe probe, Clang clang, Optional<Path> sysroot)
      throws IOException, ToolchainException {
    List<String> failures = new ArrayList<>();
    for (int g = 0; g < packages.generations(Group.HIP); g++) {
      int kept = used.size();
      try {
        unpack(packages.obtain(Group.HIP, g, clang.major(), scratch), staging);
        return complete(Assembly.of(staging, clang, sysroot), probe);
      } catch (ToolchainException e) {
        if (packages.generations(Group.HIP) == 1) {
          throw e;
        }
        failures.add(String.valueOf(e.getMessage()));
        progress.accept("that does not work here: " + e.getMessage());
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
    List<GfxTarget> targets = probe.targets(bare);
    Path devLibs =
        Folders.find(staging.resolve("usr/lib"), "libamdhip64.so")
            .map(Path::getParent)
            .orElse(staging.resolve("usr/lib"));
    progress.accept("making the libraries to link with");
    SortedSet<Library> libraries =
        new ImportLibraries(bare, scratch.resolve("import")).generate(devLibs);
    Toolchain whole = bare.having(targets, libraries);
    probe.link(whole);
    Assembly.programs(whole);
    return whole;
  }

  private void unpack(List<Deb> debs, Path into) throws IOException, ToolchainException {
    progress.accept("unpacking " + debs.size() + " packages");
    for (Deb d : debs) {
      d.unpack(into);
      used.add(d);
    }
  }

  private void publish(Path installs, Toolchain toolchain) throws IOException {
    Manifest manifest = new Manifest(used);
    Files.writeString(staging.resolve(Manifest.FILE), manifest.text());
    boolean own = toolchain.clang().startsWith(staging);
    Descriptor.write(
        staging.resolve(DESCRIPTOR), toolchain, Map.of("compiler", own ? "own" : "system"));
    Folders.delete(scratch);
    Files.setPosixFilePermissions(staging, PosixFilePermissions.fromString("rwxr-xr-x"));
    String name =
        "hip-"
            + toolchain.hip()
            + "-"
            + toolchain.fingerprint().substring(0, 8)
            + (own ? "-own" : "");
    Path target = installs.resolve(name);
    if (Files.exists(target)) {
      Path old = Files.createTempDirectory(installs, ".staging-old-");
      Files.move(target, old.resolve(name));
      Files.move(staging, target, StandardCopyOption.ATOMIC_MOVE);
      Folders.delete(old);
    } else {
      Files.move(staging, target, StandardCopyOption.ATOMIC_MOVE);
    }
    Path fresh = request.home().resolve(".current-new");
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, Path.of("installs").resolve(name));
    Files.move(
        fresh,
        request.home().resolve("current"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes what an installation that was killed left behind. */
  private static void sweep(Path installs) throws IOException {
    for (Path p : Folders.list(installs)) {
      if (String.valueOf(p.getFileName()).startsWith(".staging-")) {
        quietlyDelete(p);
      }
    }
  }

  private static void quietlyDelete(Path folder) {
    for (int attempt = 0; attempt < 3; attempt++) {
      try {
        Folders.delete(folder);
        return;
      } catch (IOException e) {
        // Another program may still be writing there; the next installation sweeps what is left.
      }
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Already shutting down: the hook runs.
      return;
    }
  }
}
