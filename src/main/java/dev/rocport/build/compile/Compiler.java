package dev.rocport.build.compile;

import dev.rocport.build.compile.Compilation.Status;
import dev.rocport.build.unit.CodeObject;
import dev.rocport.build.unit.EmbeddedCode;
import dev.rocport.build.unit.Unit;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.runtime.PrecompiledHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compiles objects or takes them from the cache. Thread-safe.
 *
 * <p>Units without device code that clang rejects are compiled with the GNU compiler of the
 * machine, if there is one: a project compiles them with the compiler of the machine, and may use
 * its extensions.
 */
public final class Compiler implements UnitCompiler {
  public static final String HOST = "host";

  /** Variables that affect what the compiler reads. */
  private static final List<String> WATCHED =
      List.of(
          "CPATH",
          "C_INCLUDE_PATH",
          "CPLUS_INCLUDE_PATH",
          "CCC_OVERRIDE_OPTIONS",
          "SOURCE_DATE_EPOCH");

  private static final AtomicLong NUMBER = new AtomicLong();

  private final CompileCommand command;
  private final String fingerprint;
  private final Duration limit;
  private final Map<String, String> environment;
  private final Optional<CacheIndex> cache;

  /** The versions of the GNU compilers of the machine, by name; empty if there is none. */
  private final Map<String, String> gnu = new ConcurrentHashMap<>();

  public Compiler(
      CompileCommand command,
      String fingerprint,
      Duration limit,
      Map<String, String> environment,
      Optional<CacheIndex> cache) {
    this.command = command;
    this.fingerprint = fingerprint;
    this.limit = limit;
    this.environment = environment;
    this.cache = cache;
  }

  @Override
  public Made compile(Unit unit) throws IOException, InterruptedException {
    Files.createDirectories(unit.object().getParent());
    String request = request(unit);
    List<Path> searched = CompileCommand.searched(unit);
    Optional<ObjectCache.Entry> hit =
        cache.flatMap(c -> c.find(request, unit.directory(), searched));
    if (hit.isPresent()) {
      place(unit, hit.get().object());
      List<Diagnostic> diagnostics = DiagnosticParser.parse(hit.get().messages(), "");
      return new Made(done(unit, Status.CACHED, 0, diagnostics), hit.get().dependencies());
    }
    // A compile that fails is followed by checks, which compare its messages.
    return run(unit, request, searched, PrecompiledHeaders.once(environment));
  }

  private Made run(Unit unit, String request, List<Path> searched, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path object = unit.object().resolveSibling(unique(".o"));
    Path depFile = unit.object().resolveSibling(unique(".d"));
    long started = System.currentTimeMillis();
    long nanos = System.nanoTime();
    try {
      Exec.Outcome outcome =
          Exec.run(command.compile(unit, object, depFile), unit.directory(), variables, limit);
      Optional<Unit> known = CompileCommand.withKnownFlags(unit, outcome.stderr());
      if (!outcome.ok() && known.isPresent()) {
        return run(known.get(), request, searched, variables);
      }
      if (!outcome.ok() && !unit.hasDeviceCode()) {
        outcome = withGnu(unit, object, depFile).filter(Exec.Outcome::ok).orElse(outcome);
      }
      double seconds = (System.nanoTime() - nanos) / 1e9;
      if (!outcome.ok()) {
        Files.deleteIfExists(unit.object());
        Optional<Compilation> failure = failure(unit, outcome, seconds, variables);
        return failure.isPresent()
            ? new Made(failure.get(), List.of())
            : run(unit, request, searched, environment);
      }
      if (!Files.isRegularFile(object) || !Files.isRegularFile(depFile)) {
        Files.deleteIfExists(unit.object());
        String message = "the compiler reported success but wrote no object";
        SortedSet<String> all = new TreeSet<>(command.sides(unit));
        return new Made(
            new Compilation(
                unit,
                Status.FAILED,
                seconds,
                DiagnosticParser.parse(outcome.stderr(), ""),
                List.of(),
                all,
                message),
            List.of());
      }
      List<String> deps = DepFile.prerequisites(Files.readString(depFile));
      List<Diagnostic> diagnostics = DiagnosticParser.parse(outcome.stderr(), "");
      byte[] bytes = Files.readAllBytes(object);
      place(unit, bytes);
      Compilation made = done(unit, Status.COMPILED, seconds, diagnostics);
      if (made.ok() && cache.isPresent()) {
        ObjectCache.Entry entry = new ObjectCache.Entry(bytes, outcome.stderr(), deps);
        cache.get().store(request, unit.directory(), searched, started, entry);
      }
      return new Made(made, deps);
    } finally {
      Files.deleteIfExists(object);
      Files.deleteIfExists(depFile);
    }
  }

  private Optional<Exec.Outcome> withGnu(Unit unit, Path object, Path depFile)
      throws InterruptedException {
    List<String> gnu = command.compileWithGnu(unit, object, depFile);
    try {
      return Optional.of(Exec.run(gnu, unit.directory(), environment, limit));
    } catch (IOException e) {
      return Optional.empty(); // the machine has none
    }
  }

  private String request(Unit unit) throws InterruptedException {
    TextsHash key = new TextsHash().add("object 3").add(fingerprint).add(command.flags(unit));
    key.add(unit.source()).add(command.place(unit));
    for (String name : WATCHED) {
      String inherited = System.getenv(name);
      key.add(environment.getOrDefault(name, inherited == null ? "" : inherited));
    }
    return (unit.hasDeviceCode() ? key : key.add(gnu(unit))).hex();
  }

  /** Returns the version of the GNU compiler that may compile a unit; empty if there is none. */
  private String gnu(Unit unit) throws InterruptedException {
    String name = CompileCommand.gnu(unit.language());
    String known = gnu.get(name);
    if (known == null) {
      try {
        known = Exec.run(List.of(name, "--version"), unit.directory(), environment, limit).stdout();
      } catch (IOException e) {
        known = "";
      }
      gnu.put(name, known);
    }
    return known;
  }

  /** Returns a unique hidden file name. */
  public static String unique(String ending) {
    return ".%d-%d%s".formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet(), ending);
  }

  private static void place(Unit unit, byte[] object) throws IOException {
    Path part = unit.object().resolveSibling(unique(".part"));
    try {
      Files.write(part, object);
      Files.move(part, unit.object(), StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Checks that the object contains code for every target. */
  private Compilation done(Unit unit, Status status, double seconds, List<Diagnostic> diagnostics)
      throws IOException {
    if (!unit.hasDeviceCode()) {
      return new Compilation(unit, status, seconds, diagnostics, List.of(), new TreeSet<>(), "");
    }
    List<CodeObject> code = EmbeddedCode.of(ElfFile.read(unit.object()));
    SortedSet<String> missing = new TreeSet<>(command.targets());
    code.forEach(c -> missing.remove(c.target()));
    // A file without device code has no code object.
    if (code.isEmpty() || missing.isEmpty()) {
      return new Compilation(unit, status, seconds, diagnostics, code, new TreeSet<>(), "");
    }
    String message = "the object has no code for " + String.join(", ", missing);
    return new Compilation(unit, Status.FAILED, seconds, diagnostics, code, missing, message);
  }

  /**
   * Returns how a compile failed; empty if it was not compiled without precompiled headers, and
   * checks of its sides find no error.
   */
  private Optional<Compilation> failure(
      Unit unit, Exec.Outcome outcome, double seconds, Map<String, String> variables)
      throws IOException, InterruptedException {
    SortedSet<String> failed = new TreeSet<>();
    String message = "";
    List<Diagnostic> diagnostics = DiagnosticParser.parse(outcome.stderr(), "");
    if (outcome.timedOut()) {
      message = "the compiler was stopped after %d s".formatted(limit.toSeconds());
    } else if (outcome.killed() || outcome.stderr().contains("unable to execute command: Killed")) {
      message = "the compiler was killed by the system, probably because memory ran out";
    } else {
      Compilation check = new SyntaxCheck(command, limit, environment).of(unit);
      failed.addAll(check.failed());
      if (failed.isEmpty() && unit.hasDeviceCode() && !variables.equals(environment)) {
        return Optional.empty();
      }
      // Errors after the front end, such as undefined symbols, appear only in a full compile.
      diagnostics = failed.isEmpty() ? diagnostics : check.diagnostics();
      if (diagnostics.stream().noneMatch(Diagnostic::isError)) {
        message = "the compiler failed with exit code " + outcome.code() + tail(outcome.stderr());
      }
    }
    if (failed.isEmpty()) {
      failed.addAll(command.sides(unit));
    }
    return Optional.of(
        new Compilation(unit, Status.FAILED, seconds, diagnostics, List.of(), failed, message));
  }

  private static String tail(String text) {
    List<String> lines = text.strip().lines().toList();
    return lines.isEmpty() ? "" : ": " + lines.getLast();
  }
}
