package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.io.LockFile;
import dev.rocport.toolchain.Fingerprint;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Finds or installs a {@link Toolchain}. */
public final class Toolchains {
  private Toolchains() {}

  /**
   * Returns a toolchain that works on this machine: a real ROCm, otherwise the one rocport has
   * provisioned, otherwise a newly provisioned one if the request allows it. Answers from a cache
   * in a few milliseconds unless something changed.
   *
   * @param progress receives one line for each step that takes time
   * @throws ToolchainException if there is none; the message says what to do
   */
  public static Toolchain require(ToolchainRequest request, Consumer<String> progress)
      throws ToolchainException {
    try {
      Optional<Toolchain> found = find(request, progress);
      if (found.isPresent()) {
        return found.get();
      }
      if (!request.provision()) {
        throw new ToolchainException(
            "no HIP toolchain on this machine: run 'rocport toolchain install', or install ROCm"
                + " and set ROCM_PATH");
      }
      try (LockFile _ = InstallLock.acquire(request.home(), progress)) {
        // Another process may have installed one while this one waited.
        Optional<Toolchain> meanwhile = provisioned(request, progress);
        return meanwhile.isPresent() ? meanwhile.get() : installLocked(request, progress);
      }
    } catch (IOException e) {
      throw broken(request, e);
    }
  }

  /**
   * Provisions a toolchain even where one is installed already, and makes it the current one.
   *
   * @throws ToolchainException when that fails; what was there before stays in place
   */
  public static Toolchain install(ToolchainRequest request, Consumer<String> progress)
      throws ToolchainException {
    try (LockFile _ = InstallLock.acquire(request.home(), progress)) {
      return installLocked(request, progress);
    } catch (IOException e) {
      throw broken(request, e);
    }
  }

  /**
   * Fills a folder with every package that an installation without network may need: headers,
   * device libraries, compiler and C++ headers. The manifest is written last.
   *
   * @return bytes in the folder
   */
  public static long download(ToolchainRequest request, Path folder, Consumer<String> progress)
      throws ToolchainException {
    try {
      return Download.into(folder, request, progress);
    } catch (IOException e) {
      throw new ToolchainException("cannot write packages to " + folder + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns a toolchain with the headers of a ROCm. If that folder is a whole ROCm, its own
   * compiler reads them, otherwise the given one.
   *
   * @param own a toolchain that works
   * @param rocm a folder with {@code include/hip/hip_version.h}
   * @throws ToolchainException if it has no HIP headers
   */
  public static Toolchain withHeaders(Toolchain own, Path rocm) throws ToolchainException {
    Path root = rocm.toAbsolutePath().normalize();
    Path include = root.resolve("include");
    try {
      RocmLocator.Parts parts = RocmLocator.parts(root);
      boolean whole = parts.complete();
      return new Toolchain(
          Toolchain.Kind.ROCM,
          whole ? parts.clang() : own.clang(),
          root,
          include,
          whole ? parts.bitcode() : own.deviceLibs(),
          whole ? parts.lib() : own.lib(),
          whole ? Optional.empty() : own.sysroot(),
          own.clangVersion(),
          Assembly.version(include),
          own.targets(),
          own.libraries(),
          own.fingerprint());
    } catch (IOException e) {
      throw new ToolchainException("cannot read " + root + ": " + e.getMessage(), e);
    }
  }

  private static Toolchain installLocked(ToolchainRequest request, Consumer<String> progress)
      throws IOException, ToolchainException {
    Provisioner.install(request, progress);
    return provisioned(request, progress)
        .orElseThrow(() -> new ToolchainException("the new toolchain cannot be read back"));
  }

  private static Optional<Toolchain> find(ToolchainRequest request, Consumer<String> progress)
      throws IOException {
    if (request.useRocm()) {
      for (RocmLocator.Parts parts :
          new RocmLocator(Path.of("/"), request.environment()).candidates()) {
        Optional<Toolchain> rocm =
            parts.complete() ? rocm(parts, request, progress) : Optional.empty();
        if (rocm.isPresent()) {
          return rocm;
        }
      }
    }
    return provisioned(request, progress);
  }

  /** The current provisioned toolchain; tried again when a file it depends on changed. */
  private static Optional<Toolchain> provisioned(
      ToolchainRequest request, Consumer<String> progress) throws IOException {
    Path current = request.home().resolve("current");
    if (!Files.isDirectory(current)) {
      return Optional.empty();
    }
    Path file = current.toRealPath().resolve(Provisioner.DESCRIPTOR);
    Optional<Map<String, String>> entries = Descriptor.read(file);
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    boolean ownWanted = !request.useSystemCompiler();
    if (ownWanted && !"own".equals(entries.get().get("compiler"))) {
      return Optional.empty();
    }
    Toolchain toolchain = Descriptor.toolchain(file, entries.get());
    if (request.selfContained() && toolchain.sysroot().isEmpty()) {
      return Optional.empty();
    }
    if (Descriptor.current(toolchain, entries.get())) {
      return Optional.of(toolchain);
    }
    progress.accept("the toolchain changed since it was last tested: testing it again");
    Map<String, String> more = Map.of("compiler", entries.get().getOrDefault("compiler", "system"));
    return tried(toolchain, file, more, progress);
  }

  private static Optional<Toolchain> rocm(
      RocmLocator.Parts parts, ToolchainRequest request, Consumer<String> progress)
      throws IOException {
    String key = HexFormat.of().toHexDigits(parts.root().toString().hashCode());
    Path file = request.home().resolve("rocm-" + key + ".properties");
    Optional<Map<String, String>> entries = Descriptor.read(file);
    if (entries.isPresent()) {
      Toolchain known = Descriptor.toolchain(file, entries.get());
      if (known.root().equals(parts.root()) && Descriptor.current(known, entries.get())) {
        // A library may have been installed since.
        return Optional.of(known.having(known.targets(), RocmLocator.libraries(parts.lib())));
      }
    }
    progress.accept("testing the ROCm in " + parts.root());
    Path include = parts.root().resolve("include");
    try {
      Toolchain fresh =
          new Toolchain(
              Toolchain.Kind.ROCM,
              parts.clang(),
              parts.root(),
              include,
              parts.bitcode(),
              parts.lib(),
              Optional.empty(),
              "",
              Assembly.version(include),
              List.of(),
              new TreeSet<>(RocmLocator.libraries(parts.lib())),
              "");
      if (!fresh.hip().atLeast(HipVersion.OLDEST)) {
        progress.accept("not used: HIP " + fresh.hip() + " is older than " + HipVersion.OLDEST);
        return Optional.empty();
      }
      return tried(fresh, file, Map.of(), progress);
    } catch (ToolchainException e) {
      progress.accept("not used: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Probes a toolchain and keeps what was found; empty when it does not work. */
  private static Optional<Toolchain> tried(
      Toolchain t, Path file, Map<String, String> more, Consumer<String> progress)
      throws IOException {
    Path scratch = Files.createTempDirectory("rocport-probe");
    try {
      Optional<Clang> clang = Clang.at(t.clang());
      if (clang.isEmpty()) {
        progress.accept("not used: " + t.clang() + " does not run");
        return Optional.empty();
      }
      Probe probe = new Probe(scratch);
      String version = clang.get().version();
      Toolchain whole =
          new Toolchain(
              t.kind(),
              t.clang(),
              t.root(),
              t.include(),
              t.deviceLibs(),
              t.lib(),
              t.sysroot(),
              version,
              t.hip(),
              probe.targets(t),
              t.libraries(),
              Fingerprint.of(version, t.include(), t.deviceLibs(), t.sysroot()));
      probe.link(whole);
      keep(file, whole, more);
      return Optional.of(whole);
    } catch (ToolchainException e) {
      progress.accept("not used: " + e.getMessage());
      return Optional.empty();
    } finally {
      Folders.delete(scratch);
    }
  }

  private static void keep(Path file, Toolchain toolchain, Map<String, String> more) {
    try {
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Descriptor.write(file, toolchain, more);
    } catch (IOException e) {
      // A folder that cannot be written costs a new try next time, nothing else.
      return;
    }
  }

  private static ToolchainException broken(ToolchainRequest request, IOException e) {
    String what =
        switch (e) {
          case AccessDeniedException a ->
              "cannot write " + a.getFile() + ": set ROCPORT_TOOLCHAIN to a folder you own";
          case FileSystemException f -> f.getMessage() + " (" + f.getClass().getSimpleName() + ")";
          default -> String.valueOf(e.getMessage());
        };
    return new ToolchainException(
        "the toolchain in " + request.home() + " cannot be used or installed: " + what, e);
  }
}
