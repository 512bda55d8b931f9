package dev.rocport.port;

import dev.rocport.core.result.Change;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Suppressed;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Results of files in the form of caches. */
final class PackedResult {
  private PackedResult() {}

  static void write(FileResult r, PackedWriter out) {
    out.text(r.path());
    out.constant(r.status());
    out.text(r.language());
    out.number(r.bytes());
    out.number(r.lines());
    edits(r.edits(), out);
    findings(r.findings(), out);
    suppressed(r.suppressed(), out);
    changes(r.changes(), out);
    out.text(r.message());
  }

  static FileResult read(PackedReader in) {
    return new FileResult(
        in.text(),
        in.constant(FileResult.Status.class),
        in.text().intern(),
        in.number(),
        in.integer(),
        edits(in),
        findings(in),
        suppressed(in),
        changes(in),
        in.text());
  }

  static void edits(SortedMap<String, Integer> edits, PackedWriter out) {
    out.map(edits, n -> out.number(n));
  }

  static SortedMap<String, Integer> edits(PackedReader in) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(in.map(in::integer)));
  }

  static void findings(Collection<Finding> findings, PackedWriter out) {
    out.list(findings, f -> finding(f, out));
  }

  static List<Finding> findings(PackedReader in) {
    return in.list(() -> finding(in));
  }

  static void suppressed(Collection<Suppressed> suppressed, PackedWriter out) {
    out.list(
        suppressed,
        s -> {
          finding(s.finding(), out);
          out.text(s.reason());
          out.text(s.where());
        });
  }

  static List<Suppressed> suppressed(PackedReader in) {
    return in.list(() -> new Suppressed(finding(in), in.text(), in.text()));
  }

  static void changes(Collection<Change> changes, PackedWriter out) {
    out.list(
        changes,
        c -> {
          out.text(c.rule());
          out.number(c.line());
          out.text(c.before());
          out.text(c.after());
        });
  }

  static List<Change> changes(PackedReader in) {
    return in.list(() -> new Change(in.text(), in.integer(), in.text(), in.text()));
  }

  private static void finding(Finding f, PackedWriter out) {
    out.text(f.rule());
    out.constant(f.severity());
    out.constant(f.disposition());
    out.text(f.path());
    out.number(f.line());
    out.number(f.column());
    out.number(f.endLine());
    out.number(f.endColumn());
    out.text(f.message());
    out.text(f.advice());
    out.text(f.snippet());
    out.text(f.about());
    out.text(f.fingerprint());
  }

  private static Finding finding(PackedReader in) {
    return new Finding(
        in.text().intern(),
        in.constant(Severity.class),
        in.constant(Disposition.class),
        in.text(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.text(),
        in.text().intern(),
        in.text(),
        in.text(),
        in.text());
  }
}
