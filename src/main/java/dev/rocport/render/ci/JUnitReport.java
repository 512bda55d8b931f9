package dev.rocport.render.ci;

import dev.rocport.core.result.BuildInfo;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.text.TextReport;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A result as JUnit XML, in the dialect that Surefire writes and CI servers read. Each finding,
 * run, tensor, check and unit of a build is a case; each file without findings is a passed case, so
 * that a clean run is not empty. Findings that make the run fail are failures; known and suppressed
 * ones are skipped; other findings pass, with their text as output. The name of a case has no line
 * number, so that servers recognize it when lines move.
 */
public final class JUnitReport {
  private final Result result;
  private final Set<Finding> failing;
  private final Map<String, List<Case>> suites = new LinkedHashMap<>();
  private final Map<String, Integer> names = new LinkedHashMap<>();

  private JUnitReport(Result result, Gate.Verdict verdict) {
    this.result = result;
    this.failing = verdict.failingSet();
  }

  /**
   * Writes the report and leaves the writer open.
   *
   * @param verdict decides what is a failure
   */
  public static void write(Result result, Gate.Verdict verdict, Writer out) {
    JUnitReport report = new JUnitReport(result, verdict);
    report.collect();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
      report.write(xml);
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The outcome of a case. */
  private enum Outcome {
    PASSED,
    FAILED,
    ERROR,
    SKIPPED
  }

  /**
   * A case.
   *
   * @param file path; empty if the case has no file
   * @param message one line
   * @param text the complete text
   */
  private record Case(
      String name, String file, int line, Outcome outcome, String message, String text) {}

  private void collect() {
    for (FileReport report : result.files()) {
      file(report.result());
    }
    BuildInfo build = result.build();
    if (build != null) {
      build(build);
    }
    VerifyInfo verify = result.verify();
    if (verify != null) {
      verify(verify);
    }
  }

  private void file(FileResult f) {
    boolean told = f.findings().stream().anyMatch(x -> x.severity() == Severity.ERROR);
    switch (f.status()) {
      case FAILED, CONFLICT -> {
        if (!told) {
          add("files", new Case(f.path(), here(f.path()), 0, Outcome.ERROR, f.message(), ""));
        }
      }
      case SKIPPED ->
          add("files", new Case(f.path(), here(f.path()), 0, Outcome.SKIPPED, f.message(), ""));
      case PORTED, UNCHANGED, UP_TO_DATE, COMPILED, NOT_COMPILED -> {
        if (f.findings().isEmpty()) {
          add("files", new Case(f.path(), here(f.path()), 0, Outcome.PASSED, "", ""));
        }
      }
      case COPIED -> {
        // Nothing was compared, so nothing passed.
      }
    }
    f.findings().forEach(this::finding);
    for (Suppressed s : f.suppressed()) {
      add(s.finding().rule(), of(s.finding(), Outcome.SKIPPED, "suppressed: " + s.reason()));
    }
  }

  private void finding(Finding f) {
    if (!result.isNew(f)) {
      add(f.rule(), of(f, Outcome.SKIPPED, "known: " + f.message()));
    } else if (failing.contains(f)) {
      add(f.rule(), of(f, Outcome.FAILED, f.message()));
    } else {
      add(f.rule(), of(f, Outcome.PASSED, f.message()));
    }
  }

  private Case of(Finding f, Outcome outcome, String message) {
    String path = here(f.path());
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %s: %s [%s]\n".formatted(place(f), f.severity().label(), f.message(), f.rule()));
    if (!f.snippet().isEmpty()) {
      text.append("    ").append(f.snippet()).append('\n');
    }
    text.append(f.advice().strip());
    return new Case(path + ": " + f.snippet(), path, f.line(), outcome, message, text.toString());
  }

  private String place(Finding f) {
    String path = here(f.path());
    return f.line() == 0 ? path : path + ":" + f.line() + ":" + f.column();
  }

  private void build(BuildInfo b) {
    for (BuildInfo.Unit u : b.units()) {
      u.sides()
          .forEach(
              (side, ok) ->
                  add(
                      "units",
                      plain(
                          u.path() + " for " + side,
                          ok ? Outcome.PASSED : Outcome.FAILED,
                          ok ? "" : "does not compile " + u.message())));
    }
    for (BuildInfo.Link l : b.links()) {
      Outcome outcome =
          switch (l.status()) {
            case "linked" -> Outcome.PASSED;
            case "skipped" -> Outcome.SKIPPED;
            default -> Outcome.FAILED;
          };
      add("links", plain(l.name(), outcome, l.message()));
    }
  }

  private void verify(VerifyInfo v) {
    for (VerifyInfo.Case c : v.cases()) {
      Outcome outcome =
          switch (c.status()) {
            case "ok" -> Outcome.PASSED;
            case "not-run" -> Outcome.SKIPPED;
            default -> Outcome.FAILED;
          };
      String ranks = c.ranks() == 0 ? "" : " on " + c.ranks() + " ranks";
      String name = "%s on %s%s".formatted(c.run(), c.target(), ranks);
      String checks =
          c.checks().entrySet().stream()
              .map(e -> e.getKey() + ": " + e.getValue())
              .collect(Collectors.joining("\n"));
      add("run." + c.fixture(), new Case(name, "", 0, outcome, c.message(), checks));
    }
    for (VerifyInfo.Tensor t : v.tensors()) {
      boolean ok = t.outcome().equals("identical") || t.outcome().equals("close");
      String said =
          "%s: %d of %d wrong, up to %d ULP (%s) %s"
              .formatted(t.outcome(), t.wrong(), t.count(), t.maxUlp(), t.rule(), t.message());
      add(
          "tensors." + t.where(),
          plain(t.name(), ok ? Outcome.PASSED : Outcome.FAILED, said.strip()));
    }
    for (VerifyInfo.Cell c : v.cells()) {
      String name =
          "%s %s %s of %d on %s".formatted(c.kernel(), c.type(), c.op(), c.count(), c.target());
      String said = "%d of %d wrong, up to %d ULP".formatted(c.wrong(), c.checks(), c.maxUlp());
      add(
          "checks." + c.fixture(),
          plain(name, c.wrong() == 0 ? Outcome.PASSED : Outcome.FAILED, said));
    }
    for (VerifyInfo.Fault f : v.faults()) {
      String said = f.caught() ? "caught by " + f.by() : "no run detected it";
      add(
          "faults." + f.fixture(),
          plain(f.name(), f.caught() ? Outcome.PASSED : Outcome.FAILED, said));
    }
  }

  private static Case plain(String name, Outcome outcome, String message) {
    return new Case(name, "", 0, outcome, message.strip(), "");
  }

  private String here(String path) {
    return result.run().fromHere(path);
  }

  /** Adds a case; a repeated name gets a number. */
  private void add(String suite, Case c) {
    int n = names.merge(suite + "\0" + c.name(), 1, Integer::sum);
    Case named =
        n == 1
            ? c
            : new Case(c.name() + " #" + n, c.file(), c.line(), c.outcome(), c.message(), c.text());
    suites.computeIfAbsent(suite, s -> new ArrayList<>()).add(named);
  }

  private void write(XMLStreamWriter xml) throws XMLStreamException {
    List<Case> all = suites.values().stream().flatMap(List::stream).toList();
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuites");
    xml.writeAttribute("name", "rocport " + result.run().command());
    counts(xml, all);
    for (Map.Entry<String, List<Case>> suite : suites.entrySet()) {
      xml.writeCharacters("\n  ");
      xml.writeStartElement("testsuite");
      String name = "rocport." + result.run().command().replace(' ', '.') + "." + suite.getKey();
      attribute(xml, "name", name);
      counts(xml, suite.getValue());
      for (Case c : suite.getValue()) {
        write(xml, name, c);
      }
      xml.writeCharacters("\n  ");
      xml.writeEndElement();
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndDocument();
  }

  private static void counts(XMLStreamWriter xml, List<Case> cases) throws XMLStreamException {
    xml.writeAttribute("tests", String.valueOf(cases.size()));
    xml.writeAttribute("failures", count(cases, Outcome.FAILED));
    xml.writeAttribute("errors", count(cases, Outcome.ERROR));
    xml.writeAttribute("skipped", count(cases, Outcome.SKIPPED));
    xml.writeAttribute("time", "0");
  }

  private static String count(List<Case> cases, Outcome outcome) {
    return String.valueOf(cases.stream().filter(c -> c.outcome() == outcome).count());
  }

  private static void write(XMLStreamWriter xml, String suite, Case c) throws XMLStreamException {
    xml.writeCharacters("\n    ");
    xml.writeStartElement("testcase");
    attribute(xml, "name", c.name());
    attribute(xml, "classname", suite);
    xml.writeAttribute("time", "0");
    if (!c.file().isEmpty()) {
      attribute(xml, "file", c.file());
    }
    if (c.line() > 0) {
      xml.writeAttribute("line", String.valueOf(c.line()));
    }
    String text = c.text().isEmpty() ? c.message() : c.text();
    switch (c.outcome()) {
      case FAILED, ERROR -> {
        xml.writeStartElement(c.outcome() == Outcome.ERROR ? "error" : "failure");
        attribute(xml, "message", c.message());
        xml.writeAttribute("type", c.outcome() == Outcome.ERROR ? "unreadable" : "finding");
        xml.writeCharacters(lines(text));
        xml.writeEndElement();
      }
      case SKIPPED -> {
        xml.writeEmptyElement("skipped");
        attribute(xml, "message", c.message());
      }
      case PASSED -> {
        if (!text.isEmpty()) {
          xml.writeStartElement("system-out");
          xml.writeCharacters(lines(text));
          xml.writeEndElement();
        }
      }
    }
    xml.writeEndElement();
  }

  private static void attribute(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    xml.writeAttribute(name, legal(TextReport.visible(value)));
  }

  private static String lines(String text) {
    return text.lines().map(l -> legal(TextReport.visible(l))).collect(Collectors.joining("\n"));
  }

  /** XML 1.0 has no way to write half of a surrogate pair. */
  private static String legal(String text) {
    StringBuilder s = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              boolean ok = (c >= 0x20 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE) || c >= 0x10000;
              s.appendCodePoint(ok ? c : 0xFFFD);
            });
    return s.toString();
  }
}
