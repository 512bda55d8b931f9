package dev.rocport.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.rocport.assess.Assessment;
import dev.rocport.core.result.Change;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Run;
import dev.rocport.core.result.Severity;
import dev.rocport.io.AtomicFile;
import dev.rocport.io.UserFolders;
import dev.rocport.io.process.Exec;
import dev.rocport.io.process.SearchPath;
import dev.rocport.render.ReportForm;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Measures how long it takes to write the reports of a large tree, and until the page is ready. */
public final class ReportSpeed {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final int FILES = 5000;
  private static final int FINDINGS_OF_A_FILE = 4;
  private static final long BYTES_OF_A_FILE = 100_000;
  private static final int EVERY_CHANGED = 10;

  /** The measurement of the page's script: milliseconds from navigation to its last line. */
  private static final Pattern READY = Pattern.compile("data-ready=\"(\\d+)\"");

  private static final List<String> BROWSERS =
      List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<Disposition> DISPOSITIONS =
      List.of(Disposition.PORTED, Disposition.REVIEW, Disposition.UNPORTED);

  private final Result result;
  private final Gate.Verdict verdict;

  /**
   * What a form took.
   *
   * @param form the form
   * @param nanos to write it
   * @param processor nanoseconds of processor time
   * @param bytes of the file
   */
  public record Written(ReportForm form, long nanos, long processor, long bytes) {}

  /** A made-up result of 20,000 findings, always the same. */
  public ReportSpeed() throws IOException {
    RuleCatalog catalog = RuleCatalog.builtIn();
    List<Rule> rules = catalog.rules().stream().limit(60).toList();
    List<FileResult> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(file(i, rules));
    }
    Run run = new Run("bench", "audit", List.of("tree"), "", new TreeMap<>());
    RuleFilter all = new RuleFilter(List.of(), List.of());
    this.result = new Assessment(catalog, all, List.of(), null).of(run, files);
    this.verdict = new Gate(Severity.ERROR).judge(result);
  }

  /** Number of findings. */
  public int findings() {
    return result.totals().findings();
  }

  private static FileResult file(int i, List<Rule> rules) {
    String path =
        "module%02d/part%03d/kernel_%04d.cu".formatted(i % 20, i % 200, i).toLowerCase(Locale.ROOT);
    List<Finding> findings = new ArrayList<>();
    TreeMap<String, Integer> edits = new TreeMap<>();
    for (int k = 0; k < FINDINGS_OF_A_FILE; k++) {
      Rule rule = rules.get((i * FINDINGS_OF_A_FILE + k) % rules.size());
      int line = 10 + 37 * k + i % 11;
      String code = "cudaThing%d<<<grid, block, 0, stream>>>(in + %d, out);".formatted(k, i);
      findings.add(
          new Finding(
              rule.id(),
              rule.severity(),
              DISPOSITIONS.get((i + k) % DISPOSITIONS.size()),
              path,
              line,
              5,
              line,
              40,
              "value_%d of kernel_%04d is taken for the number of lanes of a warp".formatted(k, i),
              rule.advice(),
              code,
              Changes.fingerprint(rule.id(), path, code, 1)));
      edits.put(rule.id(), 3 + k);
    }
    List<Change> changes =
        i % EVERY_CHANGED == 0
            ? List.of(
                new Change(
                    "W64-GROUPS",
                    20,
                    "sum += __shfl_down_sync(mask, sum, 16);",
                    "sum += rocport::shfl_down_sync(mask, sum, 16);"))
            : List.of();
    return new FileResult(
        path,
        FileResult.Status.PORTED,
        "cuda",
        BYTES_OF_A_FILE,
        (int) (BYTES_OF_A_FILE / 40),
        edits,
        findings,
        List.of(),
        changes,
        "");
  }

  /**
   * Writes all forms into a folder.
   *
   * @throws IOException if one cannot be written
   */
  public List<Written> write(Path folder) throws IOException {
    List<Written> list = new ArrayList<>();
    for (ReportForm form : ReportForm.values()) {
      Path file = folder.resolve(form.file());
      long start = System.nanoTime();
      long before = SYSTEM.getProcessCpuTime();
      AtomicFile.write(file, out -> form.write(result, verdict, out));
      long processor = SYSTEM.getProcessCpuTime() - before;
      list.add(new Written(form, System.nanoTime() - start, processor, Files.size(file)));
    }
    return list;
  }

  /** A Chromium on {@code PATH}, or the one that rocport's tests took. */
  public static Optional<Path> browser() {
    Path own = UserFolders.data(System.getenv()).resolve("browser/chromium");
    Stream<Path> onPath =
        SearchPath.folders(System.getenv()).stream()
            .flatMap(f -> BROWSERS.stream().map(f::resolve));
    return Stream.concat(onPath, Stream.of(own)).filter(Files::isExecutable).findFirst();
  }

  /**
   * Milliseconds until the page in a folder has shown its findings and takes input; empty where the
   * browser fails.
   */
  public static OptionalInt ready(Path browser, Path folder)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            browser.toString(),
            "--headless",
            "--no-sandbox", // it opens a page of this program's own
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--user-data-dir=" + folder.resolve("profile"),
            "--dump-dom",
            folder.resolve(ReportForm.HTML.file()).toUri().toString());
    Exec.Outcome run = Exec.of(command).limit(PATIENCE).run();
    if (run.timedOut()) {
      return OptionalInt.empty();
    }
    String dom = run.stdout();
    Matcher m = READY.matcher(dom.substring(0, Math.min(500, dom.length())));
    return m.find() ? OptionalInt.of(Integer.parseInt(m.group(1))) : OptionalInt.empty();
  }
}
