package dev.rocport.rules;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.EditSet;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.io.Sha256;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** The results of the rules for one file: edits, counted by rule, and findings. */
public final class Changes {
  private static final int SNIPPET = Finding.LONGEST_SNIPPET;

  private final SourceFile file;
  private final RuleCatalog catalog;
  private final RuleFilter filter;
  private final EditSet edits = new EditSet();
  private final SortedMap<String, Integer> counts = new TreeMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, Integer> occurrences = new HashMap<>();
  private final Map<String, Boolean> allowed = new HashMap<>();
  private String countAs = "";
  private final SortedSet<String> shims = new TreeSet<>();

  public Changes(SourceFile file, RuleCatalog catalog, RuleFilter filter) {
    this.file = file;
    this.catalog = catalog;
    this.filter = filter;
  }

  public SourceFile file() {
    return file;
  }

  /** Whether the user left this rule in force. */
  public boolean allows(String rule) {
    return allowed.computeIfAbsent(rule, filter::allows);
  }

  /** Adds an edit and counts it; the caller asked {@link #allows} before. */
  public void edit(Edit edit) {
    edits.add(edit);
    counts.merge(countAs.isEmpty() ? edit.rule() : countAs, 1, Integer::sum);
  }

  /** Adds a further edit of a change that is counted already. */
  public void alsoEdit(Edit edit) {
    edits.add(edit);
  }

  /** Takes back the edits inside a stretch that another edit drops. */
  public void dropInside(int start, int end) {
    for (Edit e : edits.removeInside(start, end)) {
      counts.computeIfPresent(e.rule(), (rule, n) -> n > 1 ? n - 1 : null);
    }
  }

  /** A finding with the severity and advice of its rule. */
  public void finding(String rule, Disposition disposition, int start, int end, String message) {
    Rule r = catalog.require(rule);
    finding(rule, r.severity(), disposition, start, end, message, r.advice());
  }

  /**
   * A finding about the bytes from {@code start} to {@code end}; dropped if the rule is left out.
   */
  public void finding(
      String rule,
      Severity severity,
      Disposition disposition,
      int start,
      int end,
      String message,
      String advice) {
    findingAbout("", rule, severity, disposition, start, end, message, advice);
  }

  /** A finding about an instruction, with the severity and advice of its rule. */
  public void findingAbout(
      String about, String rule, Disposition disposition, int start, int end, String message) {
    Rule r = catalog.require(rule);
    findingAbout(about, rule, r.severity(), disposition, start, end, message, r.advice());
  }

  /**
   * A finding about an instruction.
   *
   * @param about opcode and qualifiers
   */
  public void findingAbout(
      String about,
      String rule,
      Severity severity,
      Disposition disposition,
      int start,
      int end,
      String message,
      String advice) {
    if (!allows(rule)) {
      return;
    }
    int line = file.line(start);
    int last = Math.max(start, end - 1);
    String text = file.text(file.lineStart(line), firstBytes(line)).strip();
    String snippet = text.length() > SNIPPET ? text.substring(0, SNIPPET) : text;
    findings.add(
        new Finding(
            rule,
            severity,
            disposition,
            file.path(),
            line,
            file.column(start),
            file.line(last),
            file.column(last) + 1,
            message,
            advice,
            snippet,
            about,
            fingerprint(rule, snippet)));
  }

  /**
   * Changes of a stretch of this file that is looked at as a file of its own, at the same offsets;
   * every edit counts for one rule. To be given back with {@link #adopt}.
   */
  public Changes nested(SourceFile inner, String rule) {
    Changes changes = new Changes(inner, catalog, filter);
    changes.countAs = rule;
    return changes;
  }

  /** Takes over a finding about the same file. */
  public void adopt(Finding x) {
    int start = file.lineStart(x.line()) + x.column() - 1;
    int end = file.lineStart(x.endLine()) + x.endColumn() - 1;
    findingAbout(
        x.about(), x.rule(), x.severity(), x.disposition(), start, end, x.message(), x.advice());
  }

  /** Takes over the changes of a {@link #nested} stretch. */
  public void adopt(Changes inner) {
    adopt(inner, e -> e);
  }

  /** The same, where edits are written otherwise in the file. */
  public void adopt(Changes inner, UnaryOperator<Edit> written) {
    inner.edits.sorted().forEach(e -> edits.add(written.apply(e)));
    inner.counts.forEach((rule, n) -> counts.merge(rule, n, Integer::sum));
    for (Finding x : inner.findings()) {
      int start = inner.file.lineStart(x.line()) + x.column() - 1;
      int end = inner.file.lineStart(x.endLine()) + x.endColumn() - 1;
      findingAbout(
          x.about(), x.rule(), x.severity(), x.disposition(), start, end, x.message(), x.advice());
    }
    shims.addAll(inner.shims);
  }

  /** Where the text of {@link #nested} changes is in the file. */
  public interface Places {
    /** What a reader calls a place of the inner text. */
    String place(int offset);

    /** The offset in the file. */
    int start(int offset);

    /** The offset after a stretch that ends there in the inner text. */
    int end(int offset);
  }

  /**
   * Takes over the changes of a text that the file holds in another form.
   *
   * @param edits the inner edits as edits of this file
   */
  public void adopt(Changes inner, List<Edit> edits, Places places) {
    edits.forEach(this.edits::add);
    inner.counts.forEach((rule, n) -> counts.merge(rule, n, Integer::sum));
    for (Finding x : inner.findings()) {
      int start = inner.file.lineStart(x.line()) + x.column() - 1;
      int end = inner.file.lineStart(x.endLine()) + x.endColumn() - 1;
      findingAbout(
          x.about(),
          x.rule(),
          x.severity(),
          x.disposition(),
          places.start(start),
          places.end(end),
          places.place(start) + ": " + x.message(),
          x.advice());
    }
    shims.addAll(inner.shims);
  }

  /** The end of the line, or of its first part: a line may be the whole of a huge file. */
  private int firstBytes(int line) {
    int at = file.lineStart(line);
    int end = file.lineEnd(line);
    while (at < end && file.bytes()[at] <= ' ' && file.bytes()[at] >= 0) {
      at++;
    }
    return Math.min(end, at + 4 * SNIPPET);
  }

  /** The ported file includes this header of {@code hip-runtime/include/rocport}. */
  public void needsShim(String header) {
    shims.add(header);
  }

  /**
   * The ported file imports this module of {@code hip-runtime/python}.
   *
   * @param path where it goes in the ported tree, ends in {@code .py}
   */
  public void needsModule(String path) {
    shims.add(path);
  }

  /**
   * Headers that must be copied into the ported tree, as {@code rocport/NAME}, and modules by their
   * path.
   */
  public SortedSet<String> shims() {
    return shims;
  }

  public EditSet edits() {
    return edits;
  }

  public SortedMap<String, Integer> counts() {
    return counts;
  }

  /** In order of place, then rule. */
  public List<Finding> findings() {
    List<Finding> sorted = new ArrayList<>(findings);
    sorted.sort(
        Comparator.comparingInt(Finding::line)
            .thenComparingInt(Finding::column)
            .thenComparing(Finding::rule));
    return sorted;
  }

  private String fingerprint(String rule, String line) {
    String text = line.replaceAll("\\s+", "");
    int nth = occurrences.merge(rule + "\n" + text, 1, Integer::sum);
    return fingerprint(rule, file.path(), text, nth);
  }

  /** A finding about a whole file, for review. */
  public static Finding ofFile(Rule rule, String path, String message) {
    return new Finding(
        rule.id(),
        rule.severity(),
        Disposition.REVIEW,
        path,
        0,
        0,
        0,
        0,
        message,
        rule.advice(),
        "",
        fingerprint(rule.id(), path, message, 1));
  }

  /**
   * What identifies a finding from run to run: 16 hex digits.
   *
   * @param text the line without white space
   * @param nth 1 for the first such finding of the file
   */
  public static String fingerprint(String rule, String path, String text, int nth) {
    return Sha256.fingerprint(rule + "\n" + path + "\n" + text + "\n" + nth);
  }
}
