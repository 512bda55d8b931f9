package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.ToolRun;
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
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Makes libraries to link with out of headers: shared objects that have every function the headers
 * declare and abort with the function's name when one is called. The real libraries take hundreds
 * of megabytes and need a GPU.
 */
final class ImportLibraries {
  /** What clang calls in every program with kernels; no header declares it. */
  private static final List<String> COMPILER_CALLS =
      List.of(
          "__hipRegisterFatBinary",
          "__hipUnregisterFatBinary",
          "__hipRegisterFunction",
          "__hipRegisterVar",
          "__hipRegisterManagedVar",
          "__hipRegisterSurface",
          "__hipRegisterTexture",
          "__hipPushCallConfiguration",
          "__hipPopCallConfiguration");

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Toolchain toolchain;
  private final Path scratch;

  ImportLibraries(Toolchain toolchain, Path scratch) {
    this.toolchain = toolchain;
    this.scratch = scratch;
  }

  /**
   * Fills the toolchain's {@code lib} folder.
   *
   * @param devLibs folder whose {@code libX.so} links tell the real libraries' names
   * @return the libraries made: those whose headers are there and can be preprocessed
   */
  SortedSet<Library> generate(Path devLibs) throws IOException, ToolchainException {
    Files.createDirectories(toolchain.lib());
    Files.createDirectories(scratch);
    List<Callable<Optional<Library>>> tasks = new ArrayList<>();
    for (Library library : Library.values()) {
      if (library.headers().stream().anyMatch(toolchain::hasHeader)) {
        tasks.add(() -> generate(library, devLibs));
      }
    }
    return ParallelTasks.run(tasks).stream()
        .flatMap(Optional::stream)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Optional<Library> generate(Library library, Path devLibs)
      throws IOException, ToolchainException {
    SortedSet<String> names = functions(library);
    if (names.isEmpty()) {
      return Optional.empty();
    }
    build(library, names, soname(devLibs, library));
    return Optional.of(library);
  }

  private SortedSet<String> functions(Library library) throws IOException, ToolchainException {
    StringBuilder source = new StringBuilder();
    library.headers().stream()
        .filter(toolchain::hasHeader)
        .forEach(h -> source.append("#include <").append(h).append(">\n"));
    Path file = scratch.resolve(library.linkName() + ".cpp");
    Files.writeString(file, source);
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(toolchain.hostCompile());
    command.addAll(
        List.of("-DMIOPEN_BETA_API=1", "-w", "-x", "c++", "-std=c++17", "-E", "-o", file + ".ii"));
    command.add(file.toString());
    ToolRun run = ToolRun.of(command, scratch, Map.of(), LIMIT);
    if (!run.ok()) {
      if (library == Library.RUNTIME) {
        throw new ToolchainException("the HIP headers cannot be read:\n" + run.tail(6));
      }
      return new TreeSet<>();
    }
    SortedSet<String> names =
        new TreeSet<>(
            DeclarationScanner.scan(Files.readString(Path.of(file + ".ii")), declaredIn(library)));
    if (library == Library.RUNTIME) {
      names.addAll(COMPILER_CALLS);
    }
    return names;
  }

  /** A library's functions are those of its own headers, not of headers they include. */
  private Predicate<String> declaredIn(Library library) {
    String include = toolchain.include() + "/";
    String header = library.headers().getFirst();
    String folder = include + header.substring(0, header.indexOf('/') + 1);
    String rtc = include + "hip/hiprtc.h";
    return switch (library) {
      case RUNTIME -> file -> file.startsWith(folder) && !file.equals(rtc);
      case HIPRTC -> rtc::equals;
      default -> file -> file.startsWith(folder);
    };
  }

  /** The real library's name in a program, without which a program made here finds no library. */
  private static String soname(Path devLibs, Library library) throws IOException {
    String plain = "lib" + library.linkName() + ".so";
    Path link = devLibs.resolve(plain);
    if (!Files.isSymbolicLink(link)) {
      return plain;
    }
    String target = String.valueOf(Files.readSymbolicLink(link).getFileName());
    String version = target.substring(Math.min(target.length(), plain.length()));
    int second = version.indexOf('.', 1);
    return plain + (second < 0 ? version : version.substring(0, second));
  }

  private void build(Library library, SortedSet<String> names, String soname)
      throws IOException, ToolchainException {
    StringBuilder source =
        new StringBuilder(
            """
            extern long write(int, const void *, unsigned long);
            extern void abort(void) __attribute__((noreturn));
            static __attribute__((noreturn, noinline)) void missing(const char *name) {
              static const char text[] = "rocport: called without a ROCm runtime: ";
              unsigned long n = 0;
              while (name[n]) n++;
              write(2, text, sizeof text - 1);
              write(2, name, n);
              write(2, "\\n", 1);
              abort();
            }
            #define F(name) __attribute__((visibility("default"))) void name(void) { missing(#name); }
            """);
    names.forEach(n -> source.append("F(").append(n).append(")\n"));
    Path file = scratch.resolve(library.linkName() + "_import.c");
    Files.writeString(file, source);
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    toolchain.sysroot().ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-x", "c", "-w", "-O0", "-fPIC", "-fno-builtin", "-ffreestanding"));
    command.addAll(List.of("-fvisibility=hidden", "-fuse-ld=lld", "-shared", "-nostdlib", "-s"));
    command.addAll(List.of("-Wl,-soname," + soname, "-o", toolchain.lib().resolve(soname) + ""));
    command.add(file.toString());
    ToolRun run = ToolRun.of(command, scratch, Map.of(), LIMIT);
    if (!run.ok()) {
      throw new ToolchainException("cannot make the link library " + soname + ":\n" + run.tail(6));
    }
    Path plain = toolchain.lib().resolve("lib" + library.linkName() + ".so");
    if (!plain.endsWith(soname)) {
      Files.deleteIfExists(plain);
      Files.createSymbolicLink(plain, Path.of(soname));
    }
  }
}
