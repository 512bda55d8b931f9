package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.Finding;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Puts faults into a ported tree, one after the other, and sees whether each is noticed. */
final class FaultTrial {
  private final Fixture fixture;
  private final Path tree;
  private final Workshop workshop;
  private final Observer observer;
  private final RunTrial trial;
  private final VerifyOptions options;

  FaultTrial(
      Fixture fixture,
      Path tree,
      Workshop workshop,
      Observer observer,
      RunTrial trial,
      VerifyOptions options) {
    this.fixture = fixture;
    this.tree = tree;
    this.workshop = workshop;
    this.observer = observer;
    this.trial = trial;
    this.options = options;
  }

  /** Puts each fault in, builds, runs, and takes it out again. */
  void run(List<Fault> faults, List<String> targets, Results results)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    for (Fault fault : faults) {
      results.begin(fixture, "fault '" + fault.name() + "'");
      String by;
      Fault.Applied applied = fault.apply(tree);
      try {
        by = noticed(fault, targets);
      } finally {
        applied.undo();
      }
      results.tried(fixture, fault, by);
    }
  }

  /** What notices a fault: the first problem of the first run that has one. */
  private String noticed(Fault fault, List<String> targets)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    BuildResult build = workshop.build(fixture, tree);
    if (build.count(UnitResult.Status.FAILED) + build.count(LinkResult.Status.FAILED) > 0) {
      String said = build.allFindings().stream().map(Finding::message).findFirst().orElse("");
      throw new VerifyException(
          "the fault '%s' does not compile, which proves nothing: %s"
              .formatted(fault.name(), said));
    }
    for (String target : fault.targets(targets)) {
      for (RunCase c : RunCase.of(fixture, target, options)) {
        if (!fault.tries(c.run().name())) {
          continue;
        }
        Programs programs = new Programs(tree);
        Path program =
            programs
                .find(fixture, c.run())
                .orElseThrow(
                    () -> new VerifyException("the build did not produce " + c.run().program()));
        Judge judge = trial.judge(c);
        judge.judge(observer.observe(c, tree, program, 0));
        Optional<Problem> first =
            judge.problems().stream().filter(p -> !p.rule().equals(Problem.NO_GOLDEN)).findFirst();
        if (first.isPresent()) {
          return c.where() + ": " + first.get().message();
        }
      }
    }
    return "";
  }
}
