package dev.rocport.verify;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.device.check.Checks;
import dev.rocport.io.Sha256;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the runs of one program with checks have found, each defect once. */
final class CheckFindings {
  private static final String RUN = "CHECK-RUN";
  private static final String RESULT = "CHECK-RESULT";
  private static final String SHORT = "CHECK-TIME";
  private static final Pattern LINE = Pattern.compile("(.+):([1-9]\\d{0,8})");
  private static final int MOST_BYTES = 16 << 20;

  private final RuleCatalog catalog;
  private final String program;
  private final Findings findings;
  private final OriginalPlaces originals;
  private final Set<String> known = new HashSet<>();
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
    this.originals = new OriginalPlaces(catalog);
  }

  List<FileResult> files() {
    return findings.files();
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

  /** Takes in what one run found. */
  void found(List<SeenFinding> seen, Checks checks) throws IOException {
    for (SeenFinding f : seen) {
      if (known.add(f.toString())) {
        findings.add(finding(f, checks));
        defect |= f.certain();
      }
    }
  }

  /** A run with checks ended in another way than the one without, and found nothing itself. */
  void unexplained(ProgramRun run, Checks checks) {
    unexplained =
        unexplained.isEmpty()
            ? "the program exits with %d if it runs with --check %s, and no finding explains this"
                .formatted(run.code(), checks.text())
            : unexplained;
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

  private Finding finding(SeenFinding f, Checks checks) throws IOException {
    Rule rule = catalog.require("CHECK-" + f.check().toUpperCase(Locale.ROOT));
    Matcher place = LINE.matcher(f.source());
    Path file = file(place.matches() ? place.group(1) : program);
    String path = place.matches() ? shown(file) : program;
    int line = place.matches() ? Integer.parseInt(place.group(2)) : 0;
    Optional<String> original = line == 0 ? Optional.empty() : originals.of(file, line);
    String message =
        "%s%s%s%s (--check %s)"
            .formatted(
                f.certain() ? "" : "possibly: ",
                f.title() + (line == 0 ? " at " + f.place() : ""),
                f.other().isEmpty() ? "" : "; the other place is " + f.other(),
                original.map(o -> "; ported from " + o).orElse(""),
                checks.text());
    return new Finding(
        rule.id(),
        f.certain() ? rule.severity() : Severity.WARNING,
        f.certain() ? Disposition.UNPORTED : Disposition.REVIEW,
        path,
        line,
        line == 0 ? 0 : 1,
        line,
        line == 0 ? 0 : 1,
        message,
        f.advice().isEmpty() ? rule.advice() : f.advice(),
        line == 0 ? "" : snippet(file, line),
        Sha256.fingerprint(f.toString()));
  }

  /**
   * The source that a relative name means: compilers run in a folder that the program is in or
   * below, such as the root of a ported tree.
   */
  private Path file(String source) {
    Path here = Path.of("").toAbsolutePath();
    for (Path folder = here.resolve(program).normalize().getParent();
        folder != null;
        folder = folder.getParent()) {
      Path file = folder.resolve(source).normalize();
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    return here.resolve(source).normalize();
  }

  /** The path as seen from the working folder, if it is below that. */
  private static String shown(Path file) {
    Path here = Path.of("").toAbsolutePath();
    return (file.startsWith(here) ? here.relativize(file) : file).toString();
  }

  /** The line of the source, if the file is still there. */
  private static String snippet(Path file, int line) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
      return "";
    }
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      String text = lines.skip(line - 1L).findFirst().orElse("").strip();
      return text.substring(0, Math.min(text.length(), Finding.LONGEST_SNIPPET));
    }
  }
}
