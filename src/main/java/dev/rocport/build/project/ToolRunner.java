package dev.rocport.build.project;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.compile.CompileCommand;
import dev.rocport.build.compile.Compiler;
import dev.rocport.build.compile.Diagnostic;
import dev.rocport.build.compile.DiagnosticParser;
import dev.rocport.build.compile.UnitCompiler;
import dev.rocport.build.link.LibraryGuess;
import dev.rocport.build.link.LinkInputs;
import dev.rocport.build.link.LinkMessage;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.link.Linker;
import dev.rocport.build.link.MpiFlags;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.project.FrontEnds.Answer;
import dev.rocport.build.project.FrontEnds.Request;
import dev.rocport.build.run.BuildListener;
import dev.rocport.build.unit.Artifact;
import dev.rocport.build.unit.EmbeddedCode;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.commandline.CommandLine;
import dev.rocport.commandline.ToolCommand;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Executes the requests of front ends with the HIP compiler. Thread-safe. */
public final class ToolRunner implements FrontEnds.Handler {
  private static final String RUN_PATH = "-Wl,-rpath,";
  private static final String NVCC_VERSION =
      """
      nvcc: rocport's front end of the HIP compiler
      Cuda compilation tools, release 12.8, V12.8.0
      """;

  private static final String NVCC_CALLED =
      "the build calls nvcc, which rocport build runs as hipcc; on a machine that has only ROCm,"
          + " this build fails";

  /** Folders in which a nested CMake checks the compiler. */
  private static final Pattern PROBES =
      Pattern.compile(
          ".*/CMakeFiles/(?:CMakeScratch|CMakeTmp|[\\d.]+(?:-\\w+)?/CompilerId\\w+)/.*");

  private final BuildOptions options;
  private final Toolchain toolchain;
  private final CompileCommand command;
  private final UnitCompiler compiler;
  private final UnitCompiler probes;
  private final Linker linker;
  private final Mirror mirror;
  private final UnaryOperator<String> shown;
  private final BuildListener listener;
  private final Semaphore slots;
  private final Path scratch;
  private final AtomicInteger working = new AtomicInteger();
  private volatile long lastCall = System.nanoTime();
  private volatile boolean recording = true;
  private volatile MpiFlags mpi = MpiFlags.NONE;
  private final List<Compilation> compilations = new ArrayList<>();
  private final List<LinkResult> links = new ArrayList<>();
  private final SortedSet<String> notes = new TreeSet<>();

  /** Originals of the files that commands name as sources or that their sources include. */
  private final Set<Path> read = new HashSet<>();

  private final SortedSet<String> problems = new TreeSet<>();

  /** Objects, libraries and programs without code, since their units were only checked. */
  private final Set<Path> hollow = ConcurrentHashMap.newKeySet();

  /**
   * @param compiler compiles the units of the build
   * @param probes compiles what a configuration tries
   * @param shown maps a path in the copy of the tree to the path in reports
   */
  public ToolRunner(
      BuildOptions options,
      Toolchain toolchain,
      CompileCommand command,
      UnitCompiler compiler,
      UnitCompiler probes,
      Linker linker,
      Mirror mirror,
      UnaryOperator<String> shown,
      BuildListener listener) {
    this.options = options;
    this.toolchain = toolchain;
    this.command = command;
    this.compiler = compiler;
    this.probes = probes;
    this.linker = linker;
    this.mirror = mirror;
    this.shown = shown;
    this.listener = listener;
    this.slots = new Semaphore(options.jobs());
    this.scratch = options.out().resolve("obj");
  }

  synchronized List<Compilation> compilations() {
    return List.copyOf(compilations);
  }

  synchronized List<LinkResult> links() {
    return List.copyOf(links);
  }

  /** Returns whether a command of the build compiled a source, or another source includes it. */
  synchronized boolean hasRead(Path original) {
    return read.contains(original);
  }

  private synchronized void note(Path directory, List<String> names) {
    names.forEach(n -> read.add(mirror.original(directory.resolve(n).normalize())));
  }

  /** Where links lead, by which a build such as Bazel's names its sources. */
  private static List<String> real(Path directory, List<String> names) {
    List<String> found = new ArrayList<>();
    for (String name : names) {
      try {
        found.add(directory.resolve(name).toRealPath().toString());
      } catch (IOException e) {
        // The compiler reports a source that is not there.
      }
    }
    return found;
  }

  synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns unknown flags and unsupported requests. */
  synchronized List<String> problems() {
    return List.copyOf(problems);
  }

  /** Whether the following requests are part of the build. */
  void record(boolean on) {
    recording = on;
  }

  /** Lets all requests find MPI. */
  void mpi(MpiFlags flags) {
    mpi = flags;
  }

  /** Returns true if outputs in a folder are part of the build. */
  private boolean records(Path folder) {
    return recording && !PROBES.matcher(folder + "/").matches();
  }

  /** Returns the time since the last activity of a front end. */
  Duration idle() {
    return working.get() > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastCall);
  }

  @Override
  public Answer answer(Request request) throws IOException, InterruptedException {
    working.incrementAndGet();
    slots.acquire();
    try {
      return run(request);
    } finally {
      slots.release();
      lastCall = System.nanoTime();
      working.decrementAndGet();
    }
  }

  private Answer run(Request r) throws IOException, InterruptedException {
    boolean nvcc = r.program().equals("nvcc");
    ToolCommand c = CommandLine.parse(r.program(), r.arguments(), r.directory());
    if (records(r.directory())) {
      synchronized (this) {
        c.notes().forEach(n -> notes.add(r.program() + " " + n));
        c.problems().forEach(p -> problems.add(r.program() + ": " + p));
        if (nvcc && c.mode() != ToolCommand.Mode.QUERY) {
          notes.add(NVCC_CALLED);
        }
      }
    }
    if (!c.problems().isEmpty()) {
      return failed(r.program() + ": " + String.join("; ", c.problems()));
    }
    note(r.directory(), c.sources());
    note(r.directory(), real(r.directory(), c.sources()));
    Optional<Path> special = c.output().map(r.directory()::resolve).filter(ToolRunner::isSpecial);
    return special.isEmpty() ? run(r, c, nvcc) : through(special.get(), r, c, nvcc);
  }

  /** Whether a path is that of a device such as {@code /dev/null}, or of a pipe. */
  private static boolean isSpecial(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
  }

  /** Writes into a device or pipe, which a new file must not replace. */
  private Answer through(Path special, Request r, ToolCommand c, boolean nvcc)
      throws IOException, InterruptedException {
    Files.createDirectories(scratch);
    Path file = scratch.resolve(Compiler.unique(".out")).toAbsolutePath();
    try {
      Answer answer = run(r, c.withOutput(file.toString()), nvcc);
      if (Files.isRegularFile(file)) {
        Files.write(special, Files.readAllBytes(file), StandardOpenOption.WRITE);
      }
      return answer;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private Answer run(Request r, ToolCommand c, boolean nvcc)
      throws IOException, InterruptedException {
    ToolUnits units = new ToolUnits(mirror, shown, r, c, mpi.compile());
    return switch (c.mode()) {
      case QUERY -> query(r, nvcc);
      case COMPILE -> compile(c, units);
      case LINK -> link(r, c, units);
      case ARCHIVE -> archive(r, c, units);
      case DEVICE_LINK -> emptyObject(r, c);
      case DEVICE_ONLY, PREPROCESS, ASSEMBLY, SYNTAX, DEPENDENCIES, DEPENDENCIES_OWN ->
          direct(r, c, units);
    };
  }

  private Answer query(Request r, boolean nvcc) throws IOException, InterruptedException {
    if (nvcc) {
      return new Answer(0, NVCC_VERSION, "");
    }
    List<String> words = new ArrayList<>();
    words.add(toolchain.clang().toString());
    for (String a : r.arguments()) {
      words.add(a.equals("-") && Files.exists(r.input()) ? r.input().toString() : a);
    }
    return answer(exec(words, r.directory()));
  }

  private Answer compile(ToolCommand c, ToolUnits units) throws IOException, InterruptedException {
    StringBuilder messages = new StringBuilder();
    boolean ok = true;
    for (String source : c.sources()) {
      Unit unit = units.of(source, units.objectOf(source));
      UnitCompiler.Made made = compile(unit, messages);
      ok &= made.compilation().ok();
      if (made.compilation().ok() && c.dependencies().wanted()) {
        units.writeDependencies(unit, source, made.dependencies());
      }
    }
    return new Answer(ok ? 0 : 1, "", messages.toString());
  }

  private UnitCompiler.Made compile(Unit unit, StringBuilder messages)
      throws IOException, InterruptedException {
    boolean part = records(unit.directory());
    // A build may run programs without device code to generate sources.
    boolean checks = options.syntaxOnly() && unit.language() == Language.HIP;
    UnitCompiler by = part && (checks || !options.syntaxOnly()) ? compiler : probes;
    UnitCompiler.Made made = by.compile(unit);
    if (part && checks) {
      hollow.add(unit.object().normalize());
    }
    Compilation c = made.compilation();
    note(unit.directory(), made.dependencies());
    if (part) {
      synchronized (this) {
        compilations.add(c);
      }
      listener.step(0, 0, c.status().verb(options.syntaxOnly()) + " " + unit.path());
    }
    if (!c.message().isEmpty()) {
      messages.append(unit.path()).append(": ").append(c.message()).append("\n");
    }
    for (Diagnostic d : c.diagnostics()) {
      if (d.isError()) {
        messages.append(
            "%s:%d:%d: error: %s%n".formatted(d.path(), d.line(), d.column(), d.message()));
      }
    }
    return made;
  }

  private Answer link(Request r, ToolCommand c, ToolUnits units)
      throws IOException, InterruptedException {
    StringBuilder messages = new StringBuilder();
    List<Path> objects = new ArrayList<>();
    List<String> inputs = new ArrayList<>();
    for (String source : c.sources()) {
      Unit unit = units.of(source, units.scratchOf(scratch, source));
      if (!compile(unit, messages).compilation().ok()) {
        return new Answer(1, "", messages.toString());
      }
      objects.add(unit.object());
      inputs.add(unit.path());
    }
    Path output = r.directory().resolve(c.output().orElse("a.out")).normalize();
    boolean checks = options.syntaxOnly() && records(r.directory());
    if (checks && isHollow(r, c, objects)) {
      return placeholder(output);
    }
    boolean shared = c.link().contains("-shared");
    LinkInputs in = LinkInputs.of(r.directory(), objects, byName(c.link()));
    inputs.addAll(units.names(in.files()));
    List<String> flags = new ArrayList<>(in.arguments());
    flags.addAll(LibraryGuess.flags(toolchain, in.undefined()));
    if (flags.contains("-lmpi")) {
      flags.addAll(mpi.link());
    }
    long start = System.nanoTime();
    Artifact.Kind kind = shared ? Artifact.Kind.SHARED : Artifact.Kind.EXECUTABLE;
    flags.removeIf(f -> f.equals("-shared"));
    Exec.Outcome outcome =
        linker.in(r.directory()).link(kind, output, objects, in.relocatable(), flags);
    if (checks && !outcome.ok()) {
      return placeholder(output); // its libraries may have no code
    }
    return record(kind, output, start, inputs, flags, outcome);
  }

  /** Returns whether some input of a link has no code, since its units were only checked. */
  private boolean isHollow(Request r, ToolCommand c, List<Path> objects) {
    return Stream.concat(
            objects.stream(),
            c.link().stream().filter(w -> !w.startsWith("-")).map(r.directory()::resolve))
        .anyMatch(f -> hollow.contains(f.normalize()));
  }

  /** Makes a program that does nothing, so that a build whose units are only checked goes on. */
  private Answer placeholder(Path output) throws IOException {
    hollow.add(output);
    Files.deleteIfExists(output); // a link may lead out of the copy
    Files.writeString(output, "#!/bin/sh\n", StandardOpenOption.CREATE_NEW);
    Files.setPosixFilePermissions(output, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new Answer(0, "", "");
  }

  /**
   * Replaces libraries in the front-end folder with those of the toolchain, because that folder is
   * deleted at the end.
   */
  private List<String> byName(List<String> link) {
    String rocm = mirror.frontEnds() + "/lib";
    List<String> words = new ArrayList<>();
    for (String word : link) {
      if (word.startsWith(rocm + "/")) {
        String name = word.substring(rocm.length() + 1);
        words.add("-l" + name.replaceAll("^lib|\\.(so(\\.\\d+)*|a)$", ""));
      } else if (word.startsWith(RUN_PATH)) {
        List<String> folders =
            new ArrayList<>(List.of(word.substring(RUN_PATH.length()).split(":")));
        folders.removeIf(f -> f.isEmpty() || f.equals(rocm));
        if (!folders.isEmpty()) {
          words.add(RUN_PATH + String.join(":", folders));
        }
      } else {
        words.add(word);
      }
    }
    return words;
  }

  private Answer archive(Request r, ToolCommand c, ToolUnits units)
      throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    StringBuilder messages = new StringBuilder();
    for (String source : c.sources()) {
      Unit unit = units.of(source, units.scratchOf(scratch, source));
      if (!compile(unit, messages).compilation().ok()) {
        return new Answer(1, "", messages.toString());
      }
      files.add(unit.object());
    }
    c.link().stream()
        .filter(f -> !f.startsWith("-"))
        .forEach(f -> files.add(r.directory().resolve(f)));
    Path output = r.directory().resolve(c.output().orElse("a.a")).normalize();
    long start = System.nanoTime();
    Exec.Outcome outcome = linker.link(Artifact.Kind.STATIC, output, files, false, List.of());
    if (files.stream().map(Path::normalize).anyMatch(hollow::contains)) {
      hollow.add(output);
    }
    return record(Artifact.Kind.STATIC, output, start, units.names(files), List.of(), outcome);
  }

  private Answer record(
      Artifact.Kind kind,
      Path output,
      long start,
      List<String> inputs,
      List<String> flags,
      Exec.Outcome outcome)
      throws IOException {
    String name =
        output.startsWith(mirror.folder())
            ? shown.apply(mirror.folder().relativize(output).toString())
            : output.toString();
    boolean code = outcome.ok() && kind != Artifact.Kind.STATIC;
    LinkResult result =
        new LinkResult(
            name,
            kind,
            output,
            outcome.ok() ? LinkResult.Status.LINKED : LinkResult.Status.FAILED,
            (System.nanoTime() - start) / 1e9,
            inputs,
            flags.stream().filter(f -> f.startsWith("-l")).map(f -> f.substring(2)).toList(),
            code ? EmbeddedCode.of(ElfFile.read(output)) : List.of(),
            outcome.ok() ? "" : LinkMessage.of(outcome));
    if (records(output) && !output.startsWith(scratch.toAbsolutePath())) {
      synchronized (this) {
        links.removeIf(l -> l.name().equals(name) && l.status() == LinkResult.Status.FAILED);
        links.add(result);
      }
      listener.step(0, 0, (outcome.ok() ? "linked " : "NOT LINKED ") + name);
    }
    return outcome.ok() ? new Answer(0, "", "") : failed(name + ": " + result.message());
  }

  /** Makes an empty object for a device link of nvcc. The final link step links device code. */
  private Answer emptyObject(Request r, ToolCommand c) throws IOException, InterruptedException {
    Path output = r.directory().resolve(c.output().orElse("a_dlink.o"));
    return answer(exec(command.emptyObject(output), r.directory()));
  }

  private Answer direct(Request r, ToolCommand c, ToolUnits units)
      throws IOException, InterruptedException {
    StringBuilder output = new StringBuilder();
    for (String source : c.sources()) {
      Unit unit = units.of(source, units.objectOf(source));
      List<String> flags = units.directFlags(unit, source);
      Exec.Outcome outcome = exec(command.other(unit, flags), r.directory());
      if (!outcome.ok() && !unit.hasDeviceCode()) {
        outcome = withGnu(unit, flags, r.directory()).filter(Exec.Outcome::ok).orElse(outcome);
      }
      if (!outcome.ok()) {
        if (recording) {
          synchronized (this) {
            problems.add(unit.path() + ": " + firstError(outcome.stderr()));
          }
        }
        return answer(outcome);
      }
      output.append(outcome.stdout());
    }
    return new Answer(0, output.toString(), "");
  }

  private Optional<Exec.Outcome> withGnu(Unit unit, List<String> flags, Path directory)
      throws InterruptedException {
    try {
      return Optional.of(exec(command.otherWithGnu(unit, flags), directory));
    } catch (IOException e) {
      return Optional.empty(); // the machine has none
    }
  }

  /** Returns the first error of a compiler's output, or all of it if none is recognised. */
  private static String firstError(String messages) {
    return DiagnosticParser.parse(messages, "").stream()
        .filter(Diagnostic::isError)
        .findFirst()
        .map(d -> "%s:%d:%d: %s".formatted(d.path(), d.line(), d.column(), d.message()))
        .orElseGet(messages::strip);
  }

  private Exec.Outcome exec(List<String> words, Path directory)
      throws IOException, InterruptedException {
    return Exec.run(words, directory, Map.of(), options.timeout());
  }

  private static Answer answer(Exec.Outcome outcome) {
    return new Answer(outcome.code(), outcome.stdout(), outcome.stderr());
  }

  private static Answer failed(String message) {
    return new Answer(1, "", message + "\n");
  }
}
