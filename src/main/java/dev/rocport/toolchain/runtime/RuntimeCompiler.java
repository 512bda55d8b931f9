package dev.rocport.toolchain.runtime;

import dev.rocport.core.result.Versions;
import dev.rocport.io.Folders;
import dev.rocport.toolchain.ContentHash;
import dev.rocport.toolchain.KeptFolders;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.ParallelTasks;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compiles and links parts of {@code hip-runtime}. */
final class RuntimeCompiler {
  private static final List<String> HEADERS =
      List.of(
          "algorithm",
          "atomic",
          "functional",
          "map",
          "memory",
          "mutex",
          "set",
          "string",
          "thread",
          "variant",
          "vector",
          "hip/hip_runtime_api.h");

  // glibc 2.35 has a new version of this one, which older systems lack.
  private static final String OLD_SYMBOLS =
      """
      #if defined(__x86_64__) && defined(__GLIBC__)
      __asm__(".symver hypot, hypot@GLIBC_2.2.5");
      #endif
      """;

  /** {@code hip_4.2} before {@code hip_4.10}; no version first. */
  static final Comparator<String> BY_VERSION =
      Comparator.<String, String>comparing(v -> v.replaceFirst("^\\D*", ""), Versions::compare)
          .thenComparing(Comparator.naturalOrder());

  private final Toolchain toolchain;
  private final Path sources;
  private final Path work;
  private final List<String> compiler;
  private final List<String> linking;

  /** Text of the header that is precompiled. */
  private final String common;

  private final Path precompiled;
  private final ObjectStore store;

  /** What has been read of libraries of the toolchain. */
  private final Map<Library, SortedMap<String, SortedSet<String>>> exported =
      new EnumMap<>(Library.class);

  /** What the libraries are compiled for. */
  enum Purpose {
    /** For programs of this machine. */
    USE,
    /** For a release: with no path of this machine in them and no debug information. */
    RELEASE
  }

  /**
   * A compiler that precompiles the headers of C++ and HIP, and some more.
   *
   * @param sources the folder {@code hip-runtime}
   * @param objects folder of the objects of all runtimes
   * @param work folder for what is not kept
   * @param level of optimisation
   * @param headers what most of the sources include
   * @param purpose what the objects are for
   */
  RuntimeCompiler(
      Toolchain toolchain,
      Path sources,
      Path objects,
      Path work,
      String level,
      List<Path> headers,
      Purpose purpose)
      throws IOException {
    this.toolchain = toolchain;
    this.sources = sources;
    this.work = Files.createDirectories(work);
    this.compiler = new ArrayList<>(List.of(toolchain.clang().toString()));
    compiler.addAll(toolchain.hostCompile());
    compiler.addAll(List.of("-std=c++17", level, "-g1", "-fPIC", "-Wall", "-Wextra", "-Werror"));
    // Newer compilers deprecate what the algorithms of an older C++ library call.
    compiler.add("-Wno-deprecated-declarations");
    compiler.add("-Wno-deprecated-declarations");
    // The C++ library is linked in without its unused parts, which need a newer glibc.
    this.linking = new ArrayList<>(List.of("-Wl,--gc-sections"));
    if (purpose == Purpose.RELEASE) {
      compiler.add("-ffile-prefix-map=" + sources + "=hip-runtime");
      compiler.add("-ffile-prefix-map=" + work + "=generated");
      compiler.add("-ffile-prefix-map=" + toolchain.root() + "=toolchain");
      linking.add("-Wl,--strip-all");
    }
    this.common =
        Stream.concat(
                    HEADERS.stream().map(h -> "<" + h + ">"),
                    headers.stream().map(h -> "\"" + h + "\""))
                .map(h -> "#include " + h + "\n")
                .collect(Collectors.joining())
            + OLD_SYMBOLS;
    this.precompiled = work.resolve("common.pch");
    // A header that was precompiled goes into every object.
    this.store =
        new ObjectStore(
            objects,
            toolchain.fingerprint()
                + toolchain.root()
                + compiler
                + new ContentHash().add(sources, headers).name());
  }

  /** The sources right in a folder. */
  static List<Path> sources(Path folder) throws IOException {
    return Folders.list(folder).stream().filter(f -> f.toString().endsWith(".cpp")).toList();
  }

  /**
   * Compiles sources, the longest ones first, as many at a time as there are processors.
   *
   * @param generated for each source, where headers are that are not beside what includes them
   * @return their objects, in the order of their names
   */
  SortedMap<Path, Path> compile(Map<Path, Path> generated) throws IOException, ToolchainException {
    List<Path> order = new ArrayList<>(generated.keySet());
    order.sort(
        Comparator.comparingLong((Path p) -> -p.toFile().length())
            .thenComparing(Comparator.naturalOrder()));
    List<Callable<Path>> compiles = new ArrayList<>();
    for (Path source : order) {
      Path headers = generated.getOrDefault(source, work);
      compiles.add(() -> store.object(source, headers, o -> compile(source, headers, o)));
    }
    List<Path> objects = ParallelTasks.run(compiles);
    SortedMap<Path, Path> made = new TreeMap<>();
    for (int i = 0; i < order.size(); i++) {
      made.put(order.get(i), objects.get(i));
    }
    return made;
  }

  /** Returns the precompiled headers; only the first object that is compiled makes them. */
  private synchronized Path precompiled() throws IOException, ToolchainException {
    if (!Files.exists(precompiled)) {
      Path header = Files.writeString(work.resolve("common.h"), common);
      List<String> command = new ArrayList<>(compiler);
      command.addAll(List.of("-x", "c++-header", "-fpch-instantiate-templates"));
      command.addAll(List.of("-o", precompiled.toString(), header.toString()));
      run(command, "the HIP headers");
    }
    return precompiled;
  }

  private void compile(Path source, Path generated, Path object)
      throws IOException, ToolchainException {
    List<String> command = new ArrayList<>(compiler);
    command.addAll(List.of("-x", "c++", "-include-pch", precompiled().toString()));
    command.add("-I" + generated);
    command.addAll(List.of("-c", "-o", object.toString(), source.toString()));
    run(command, source.toString());
  }

  /** Writes the header that a library's sources find: the names that are declared. */
  Path generated(Library library) throws IOException, ToolchainException {
    Path folder = Files.createDirectories(work.resolve(library.linkName()));
    Files.writeString(
        folder.resolve("declared.h"),
        exported(library).stream()
            .map(n -> "#define DECLARED_" + n + " ~, ENTRY_DECLARED\n")
            .collect(Collectors.joining()));
    return folder;
  }

  /** Compiles a file of C that has something for each name of a library. */
  Path each(Library library, String source, List<String> flags)
      throws IOException, ToolchainException {
    Path folder = Files.createDirectories(work.resolve(library.linkName()));
    Path file = folder.resolve("each.c");
    Files.writeString(file, source);
    Path object = folder.resolve("each.o");
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    toolchain.sysroot().ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-x", "c", "-w", "-O0", "-fPIC", "-fno-builtin", "-c"));
    command.addAll(flags);
    command.addAll(List.of("-o", object.toString(), file.toString()));
    run(command, "the list of functions");
    return object;
  }

  /**
   * Links a library that exports the names of the toolchain's one.
   *
   * @param more flags of the linker
   */
  void library(Library library, List<Path> objects, Path out, List<String> more)
      throws IOException, ToolchainException {
    Path map = Files.createDirectories(work.resolve(library.linkName())).resolve("names.map");
    Files.writeString(map, versions(exportedByVersion(library), beyond(library)));
    List<String> flags = new ArrayList<>();
    flags.addAll(List.of("-shared", "-Wl,-soname," + soname(toolchain, library), "-Wl,-z,defs"));
    flags.add("-Wl,--version-script," + map);
    flags.addAll(List.of("-static-libstdc++", "-ldl"));
    flags.addAll(more);
    link(objects, out, flags);
  }

  /**
   * Returns the version script of a library: programs that a ROCm's own library was linked with ask
   * for its symbol versions, such as {@code hip_4.2}.
   *
   * @param names the names of each version, the oldest first; names without one have an empty one
   * @param more patterns of further names, each after a semicolon
   */
  static String versions(SortedMap<String, SortedSet<String>> names, String more) {
    StringBuilder script = new StringBuilder();
    String previous = "";
    for (Map.Entry<String, SortedSet<String>> version : names.entrySet()) {
      boolean oldest = previous.isEmpty();
      script
          .append(version.getKey())
          .append(" { global: ")
          .append(String.join("; ", version.getValue()))
          .append(oldest ? more + "; local: *; }" : "; } " + previous)
          .append(";\n");
      previous = version.getKey();
    }
    return script.toString();
  }

  /** Writes a version script with the versions of a library, without names. */
  Path emptyVersions(Library library) throws IOException, ToolchainException {
    Path script = Files.createDirectories(work.resolve(library.linkName())).resolve("empty.map");
    StringBuilder versions = new StringBuilder();
    for (String version : exportedByVersion(library).keySet()) {
      versions.append(version).append(versions.isEmpty() ? " { local: *; };\n" : " { };\n");
    }
    Files.writeString(script, versions);
    return script;
  }

  /** What a library has that no header of this toolchain declares. */
  private static String beyond(Library library) {
    return switch (library) {
      // For the other libraries; and what ROCm exports for libraries and older programs.
      case RUNTIME -> "; rocport*; hip*; _Z24hip*; __gnu_h2f_ieee; __gnu_f2h_ieee";
      case RCCL -> "; nccl*; pnccl*"; // of newer headers
      default -> "";
    };
  }

  void link(List<Path> objects, Path out, List<String> flags)
      throws IOException, ToolchainException {
    List<String> command = new ArrayList<>(List.of(toolchain.clang() + ""));
    toolchain.sysroot().ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-fuse-ld=lld", "-pthread", "-o", out.toString()));
    objects.forEach(o -> command.add(o.toString()));
    command.addAll(flags);
    command.addAll(linking);
    run(command, out.getFileName() + "");
  }

  /** Deletes objects that have not been used for a while. */
  void forgetOld() throws IOException {
    store.forgetBefore(KeptFolders.oldest());
  }

  /** The name by which programs load a library. */
  static String soname(Toolchain toolchain, Library library) throws IOException {
    return soname(toolchain, "lib" + library.linkName() + ".so");
  }

  /**
   * The same by the name of the file that the linker looks for.
   *
   * @param plain such as {@code libamdhip64.so}
   */
  static String soname(Toolchain toolchain, String plain) throws IOException {
    Path link = toolchain.lib().resolve(plain);
    String real = Files.isSymbolicLink(link) ? link.toRealPath().getFileName() + "" : plain;
    String version = real.substring(Math.min(plain.length(), real.length()));
    int second = version.indexOf('.', 1);
    return plain + (second < 0 ? version : version.substring(0, second));
  }

  /** The functions of the toolchain's library, which are those that the headers declare. */
  SortedSet<String> exported(Library library) throws IOException, ToolchainException {
    NavigableSet<String> names = new TreeSet<>();
    exportedByVersion(library).values().forEach(names::addAll);
    return names;
  }

  /** The same by symbol version; if some have one, those without are with the oldest. */
  private SortedMap<String, SortedSet<String>> exportedByVersion(Library library)
      throws IOException, ToolchainException {
    SortedMap<String, SortedSet<String>> known = exported.get(library);
    if (known == null) {
      known = readExported(library);
      exported.put(library, known);
    }
    return known;
  }

  private SortedMap<String, SortedSet<String>> readExported(Library library)
      throws IOException, ToolchainException {
    Path own = toolchain.lib().resolve("lib" + library.linkName() + ".so");
    Path reader = toolchain.clang().resolveSibling("llvm-readelf");
    ToolRun run = ToolRun.of(List.of(reader.toString(), "--dyn-syms", "-W", own.toString()));
    if (!run.ok()) {
      throw new ToolchainException("cannot read the functions of " + own + ":\n" + run.tail(6));
    }
    NavigableMap<String, SortedSet<String>> names = new TreeMap<>(BY_VERSION);
    for (String line : run.output().lines().toList()) {
      // Number, value, size, type, binding, visibility, section, name@@version
      String[] fields = line.strip().split("\\s+");
      if (fields.length >= 8 && fields[3].equals("FUNC") && !fields[6].equals("UND")) {
        String[] name = fields[7].split("@+", 2);
        if (name[0].matches("((__)?(hip|roc)|p?nccl|miopen)[A-Za-z0-9_]+")) {
          names.computeIfAbsent(name.length > 1 ? name[1] : "", v -> new TreeSet<>()).add(name[0]);
        }
      }
    }
    if (names.isEmpty()) {
      throw new ToolchainException(own + " contains no ROCm functions");
    }
    Map.Entry<String, SortedSet<String>> oldest = names.firstEntry();
    if (names.size() > 1 && oldest.getKey().isEmpty()) {
      names.pollFirstEntry();
      names.firstEntry().getValue().addAll(oldest.getValue());
    }
    return names;
  }

  private void run(List<String> command, String what) throws IOException, ToolchainException {
    ToolRun.compile(command, sources, what);
  }
}
