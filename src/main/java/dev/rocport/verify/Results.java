package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The results of a verification so far; reports each completed step. */
final class Results {
  private final Findings findings;
  private final Consumer<String> progress;
  private final List<VerifyInfo.Case> cases = new ArrayList<>();
  private final List<VerifyInfo.Tensor> tensors = new ArrayList<>();
  private final CellTable cells = new CellTable();
  private final List<VerifyInfo.Fault> faults = new ArrayList<>();
  private final List<VerifyInfo.Found> found = new ArrayList<>();

  Results(RuleCatalog catalog, Consumer<String> progress) {
    this.findings = new Findings(catalog);
    this.progress = progress;
  }

  Findings findings() {
    return findings;
  }

  /** A step of a fixture begins. */
  void begin(Fixture fixture, String step) {
    progress.accept(fixture.name() + ": " + step);
  }

  /** What does not fit between a fixture and its recordings. */
  void golden(Fixture fixture) throws IOException {
    for (Problem p : new Golden(fixture).problems()) {
      findings.add(fixture.name() + "/" + Fixture.FILE, "", p);
    }
  }

  /** A run that was judged. */
  void judged(RunCase c, Observed seen, Judge judge, boolean failed, String message) {
    cells.add(c.fixture().name(), c.target(), seen.rows());
    String label = c.fixture().name() + " " + c.where();
    judge.tensors().forEach(t -> tensors.add(TensorRow.of(label, t)));
    add(c, failed ? "failed" : "ok", judge.checks(), seen.libraries(), message);
  }

  /** A finding of the device, with its lines. */
  void found(VerifyInfo.Found finding) {
    found.add(finding);
  }

  /** A graph of a capture that was replayed, or could not be. */
  void replayed(Replayed replayed) {
    VerifyInfo.Case row = replayed.row();
    cases.add(row);
    tensors.addAll(replayed.tensors());
    replayed.problems().forEach(p -> findings.add(replayed.capture(), replayed.where(), p));
    progress("%s: %s %s".formatted(replayed.capture(), replayed.where(), row.status()));
  }

  /** A step is reported. */
  void progress(String line) {
    progress.accept(line);
  }

  /** A run that was not made, or not to its end. */
  void notJudged(RunCase c, String status, String message) {
    add(c, status, Map.of(), LoadedLibraries.NONE, message);
  }

  private void add(
      RunCase c,
      String status,
      Map<String, String> checks,
      LoadedLibraries libraries,
      String message) {
    cases.add(
        new VerifyInfo.Case(
            c.fixture().name(),
            c.run().name(),
            c.target(),
            c.ranks(),
            status,
            checks,
            libraries.standIns(),
            libraries.rocm(),
            message));
    begin(c.fixture(), c.where() + " " + status + (message.isEmpty() ? "" : ": " + message));
  }

  /**
   * A fault that was tried.
   *
   * @param by what noticed it; empty if nothing did
   */
  void tried(Fixture fixture, Fault fault, String by) {
    faults.add(new VerifyInfo.Fault(fixture.name(), fault.name(), !by.isEmpty(), by));
    String came = by.isEmpty() ? "NOT caught" : "caught: " + by;
    begin(fixture, "fault '%s' %s".formatted(fault.name(), came));
    if (by.isEmpty()) {
      findings.add(
          fixture.name() + "/" + fault.file(),
          "",
          new Problem(Problem.FAULT, "the fault '" + fault.name() + "' is not detected"));
    }
  }

  Verification verification(Platform platform) {
    return new Verification(
        findings.files(),
        new VerifyInfo(
            platform.name(),
            platform.note(),
            cases,
            tensors,
            cells.cells(),
            faults,
            List.of(),
            found));
  }
}
