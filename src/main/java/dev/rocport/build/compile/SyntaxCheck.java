package dev.rocport.build.compile;

import dev.rocport.build.compile.Compilation.Status;
import dev.rocport.build.unit.Unit;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.runtime.PrecompiledHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Checks units for errors, separately for each target and for the host; objects stay empty. Units
 * without device code that clang rejects are checked with the GNU compiler as well: a project
 * compiles them with the compiler of the machine, and may use its extensions.
 */
public final class SyntaxCheck implements UnitCompiler {
  private final CompileCommand command;
  private final Duration limit;
  private final Map<String, String> environment;

  /**
   * @param limit time limit for one side of a unit
   */
  public SyntaxCheck(CompileCommand command, Duration limit, Map<String, String> environment) {
    this.command = command;
    this.limit = limit;
    this.environment = environment;
  }

  @Override
  public Made compile(Unit unit) throws IOException, InterruptedException {
    Compilation checked = of(unit);
    if (!checked.ok() && !unit.hasDeviceCode() && isAcceptedByGnu(unit)) {
      checked =
          new Compilation(
              unit, Status.COMPILED, checked.seconds(), List.of(), List.of(), new TreeSet<>(), "");
    }
    Files.deleteIfExists(unit.object());
    if (checked.ok()) {
      Files.createDirectories(unit.object().getParent());
      List<String> empty = command.emptyObject(unit.object());
      Exec.Outcome outcome = Exec.run(empty, unit.directory(), environment, limit);
      if (!outcome.ok()) {
        throw new IOException(outcome.stderr().strip());
      }
    }
    return new Made(checked, List.of());
  }

  /** Returns whether the machine has a GNU compiler, and it finds no error. */
  private boolean isAcceptedByGnu(Unit unit) throws InterruptedException {
    try {
      return Exec.run(command.checkWithGnu(unit), unit.directory(), environment, limit).ok();
    } catch (IOException e) {
      return false; // there is none
    }
  }

  /**
   * Checks one side.
   *
   * @param known diagnostics of the sides before it; if some of these have failed, the messages of
   *     a check with precompiled headers are final if they have the same diagnostics
   */
  private Exec.Outcome check(Unit unit, String side, List<Diagnostic> known)
      throws IOException, InterruptedException {
    List<String> check = command.check(unit, side);
    if (!known.isEmpty()) {
      Map<String, String> once = PrecompiledHeaders.once(environment);
      Exec.Outcome outcome = Exec.run(check, unit.directory(), once, limit);
      List<Diagnostic> found = DiagnosticParser.parse(outcome.stderr(), side);
      if (outcome.ok() || (!found.isEmpty() && DiagnosticParser.containsAll(known, found))) {
        return outcome;
      }
    }
    return Exec.run(check, unit.directory(), environment, limit);
  }

  /** Returns {@code COMPILED} if no side has an error. */
  public Compilation of(Unit unit) throws IOException, InterruptedException {
    long start = System.nanoTime();
    SortedSet<String> failed = new TreeSet<>();
    List<Diagnostic> diagnostics = new ArrayList<>();
    String message = "";
    for (String side : command.sides(unit)) {
      Exec.Outcome outcome = check(unit, side, failed.isEmpty() ? List.of() : diagnostics);
      Optional<Unit> known = CompileCommand.withKnownFlags(unit, outcome.stderr());
      if (!outcome.ok() && known.isPresent()) {
        return of(known.get());
      }
      if (!outcome.ok()) {
        failed.add(side);
      }
      if (outcome.timedOut()) {
        message = "the compiler was stopped after %d s".formatted(limit.toSeconds());
      }
      diagnostics =
          DiagnosticParser.merge(diagnostics, DiagnosticParser.parse(outcome.stderr(), side));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Status status = failed.isEmpty() ? Status.COMPILED : Status.FAILED;
    return new Compilation(unit, status, seconds, diagnostics, List.of(), failed, message);
  }
}
