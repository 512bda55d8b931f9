package dev.rocport.verify;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.device.check.Checks;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the runs of one program with checks have found, each defect once. */
final class CheckFindings {
  private static final String RUN = "CHECK-RUN";
  private static final String RESULT = "CHECK-RESULT";
  private static final String SHORT = "CHECK-TIME";
  private static final String DELAY = "CHECK-DELAY";

  /** More places than this are counted in a message. */
  private static final int MOST_PLACES = 4;

  private final RuleCatalog catalog;
  private final String program;
  private final Findings findings;
  private final SourcePlaces places;
  private final List<VerifyInfo.Found> sources = new ArrayList<>();
  private final Set<String> known = new HashSet<>();

  /** How many findings have had the same rule and text. */
  private final Map<String, Integer> prints = new HashMap<>();

  private String unexplained = "";
  private boolean defect;

  /**
   * No findings yet.
   *
   * @param program what a finding without a line is about
   */
  CheckFindings(RuleCatalog catalog, String program) {
    this.catalog = catalog;
    this.program = program;
    this.findings = new Findings(catalog);
    this.places = new SourcePlaces(catalog, program);
  }

  List<FileResult> files() {
    return findings.files();
  }

  /** What the device has found, with its lines. */
  List<VerifyInfo.Found> sources() {
    return sources;
  }

  /** Reports a run without checks that already fails; whether others make sense. */
  boolean plain(ProgramRun run, Launches launches) {
    if (run.timedOut()) {
      findings.add(
          program, "", new Problem(RUN, "the program did not end within the time for all runs"));
    } else if (run.isCut()) {
      findings.add(program, "", new Problem(RUN, "the program printed too much and was stopped"));
    } else if (run.code() != 0) {
      findings.add(
          program,
          "",
          new Problem(
              RUN, "the program exits with %d without checks%s".formatted(run.code(), words(run))));
    } else if (launches.launches() == 0) {
      findings.add(
          program, "", new Problem(RUN, "the program launches no kernel on the rocport device"));
    }
    return !run.isCut() && launches.launches() > 0;
  }

  /** The findings of one run, by file. */
  static List<FileResult> of(
      List<SeenFinding> seen, String checks, RuleCatalog catalog, String program)
      throws IOException {
    CheckFindings all = new CheckFindings(catalog, program);
    all.found(seen, checks);
    return all.files();
  }

  /** Takes in what one run found; whether a defect of it is new. */
  boolean found(List<SeenFinding> seen, String checks) throws IOException {
    boolean fresh = false;
    for (SeenFinding f : seen) {
      if (known.add(f.key())) {
        findings.add(finding(f, checks));
        sources.add(places.found("--check " + checks, f));
        defect |= f.certain();
        fresh |= !f.benign();
      }
    }
    return fresh;
  }

  /**
   * A run with checks ended in another way than the one without, and found nothing itself.
   *
   * @return whether it is the first one
   */
  boolean unexplained(ProgramRun run, Checks checks) {
    if (!unexplained.isEmpty()) {
      return false;
    }
    unexplained =
        "the program exits with %d if it runs with --check %s, and no finding explains this"
            .formatted(run.code(), checks.text());
    return true;
  }

  /**
   * The program fails if some places are late.
   *
   * @param deciding those places, all of which are needed unless the search was {@code cut}; none
   *     if it fails also where nothing is late
   * @param witness a run that fails where only these are late
   */
  void delayed(
      ProgramRun failed,
      ProgramRun plain,
      List<DelayedPlace> deciding,
      Optional<Checks> witness,
      boolean cut)
      throws IOException {
    if (witness.isEmpty() || (cut && deciding.size() > MOST_PLACES)) {
      unexplained +=
          deciding.isEmpty()
              ? "; the run did not fail again when it was repeated"
              : "; the delay that decides was not found among %d places%s"
                  .formatted(
                      deciding.size(),
                      cut ? ", because the time is used: give more with --time" : "");
      return;
    }
    if (deciding.isEmpty()) {
      unexplained =
          "the program exits with %d in another order of waves and commands, even if none of them is late (--check %s), and no finding explains this"
              .formatted(failed.code(), witness.get().text());
      return;
    }
    String words =
        deciding.stream()
            .limit(MOST_PLACES)
            .map(p -> p.words(places.shown(p.place())))
            .collect(Collectors.joining(", "));
    int more = deciding.size() - MOST_PLACES;
    defect = true;
    Rule rule = catalog.require(DELAY);
    SourcePlace at = places.of(deciding.getFirst().source());
    String message =
        "the program exits with %d if %s late, and with %d if nothing is: %s%s%s (--check %s)"
            .formatted(
                failed.code(),
                deciding.size() == 1 ? "this is" : "these are",
                plain.code(),
                words,
                more > 0 ? " and %d more".formatted(more) : "",
                at.notes("; "),
                witness.get().text());
    findings.add(
        finding(
            rule,
            rule.severity(),
            at,
            message,
            DelayAdvice.of(deciding),
            fingerprint(rule, deciding.stream().map(DelayedPlace::source).toList(), "")));
  }

  /** All runs have ended. A result that changes is a finding unless a defect was found. */
  void ended() {
    if (!unexplained.isEmpty() && !defect) {
      findings.add(program, "", new Problem(RESULT, unexplained));
    }
  }

  void nothingChecked() {
    findings.add(program, "", new Problem(SHORT, "no run with checks came to its end"));
  }

  private static String words(ProgramRun run) {
    return run.lastWords().isEmpty() ? "" : ": " + run.lastWords();
  }

  private Finding finding(SeenFinding f, String checks) throws IOException {
    Rule rule = catalog.require("CHECK-" + f.check().toUpperCase(Locale.ROOT));
    SourcePlace at = places.of(f.source());
    String message =
        "%s%s%s%s (--check %s)"
            .formatted(
                f.benign() ? "benign: " : f.certain() ? "" : "possibly: ",
                f.title() + (at.line() == 0 ? " at " + f.place() : ""),
                f.other().isEmpty() ? "" : "; the other place is " + places.shown(f.other()),
                at.notes("; "),
                checks);
    return finding(
        rule,
        f.benign() ? Severity.NOTE : f.certain() ? rule.severity() : Severity.WARNING,
        at,
        message,
        f.advice().isEmpty() ? rule.advice() : f.advice(),
        fingerprint(rule, f.sources(), f.sources().isEmpty() ? f.toString() : f.title()));
  }

  /** Stays the same where only the numbers of lines change, and whichever place comes first. */
  private String fingerprint(Rule rule, List<String> sources, String title) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String source : sources) {
      SourcePlace place = places.of(source);
      String text = place.snippet().replaceAll("\\s", "");
      texts.add(place.path() + "\n" + (text.isEmpty() ? source : text));
    }
    Collections.sort(texts);
    String all = title + "\n" + String.join("\n", texts);
    return Changes.fingerprint(rule.id(), "", all, prints.merge(rule.id() + all, 1, Integer::sum));
  }

  private static Finding finding(
      Rule rule, Severity severity, SourcePlace at, String message, String advice, String print)
      throws IOException {
    int column = at.line() == 0 ? 0 : 1;
    return new Finding(
        rule.id(),
        severity,
        severity == Severity.ERROR ? Disposition.UNPORTED : Disposition.REVIEW,
        at.path(),
        at.line(),
        column,
        at.line(),
        column,
        message,
        advice,
        at.snippet(),
        print);
  }
}
