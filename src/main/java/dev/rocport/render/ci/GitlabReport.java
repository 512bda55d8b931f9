package dev.rocport.render.ci;

import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.io.Json;
import dev.rocport.io.Sha256;
import dev.rocport.render.text.TextReport;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/**
 * New findings, and files that could not be read, as a GitLab Code Quality report: GitLab compares
 * the list with that of the target branch by fingerprints.
 */
public final class GitlabReport {
  private final Result result;
  private final JsonGenerator g;

  private GitlabReport(Result result, JsonGenerator generator) {
    this.result = result;
    this.g = generator;
  }

  /** Writes the report and leaves the writer open. */
  public static void write(Result result, Writer out) {
    Json.document(out, generator -> new GitlabReport(result, generator).list());
  }

  private void list() {
    g.writeStartArray();
    for (FileReport f : result.files()) {
      FileResult file = f.result();
      boolean told = file.findings().stream().anyMatch(x -> x.severity() == Severity.ERROR);
      if (file.status() == FileResult.Status.FAILED && !told) {
        String fingerprint = Sha256.fingerprint("failed\n" + file.path());
        issue(file.message(), "rocport", fingerprint, "critical", file.path(), 0, 0);
      }
      file.findings().stream().filter(result::isNew).forEach(this::issue);
    }
    g.writeEndArray();
  }

  private void issue(Finding f) {
    String advice = f.advice().isBlank() ? "" : "; " + f.advice().strip();
    String severity =
        switch (f.severity()) {
          case ERROR -> "major";
          case WARNING -> "minor";
          case NOTE -> "info";
        };
    String text = f.message() + advice;
    issue(text, f.rule(), f.fingerprint(), severity, f.path(), f.line(), f.endLine());
  }

  private void issue(
      String text,
      String rule,
      String fingerprint,
      String severity,
      String path,
      int line,
      int endLine) {
    g.writeStartObject();
    g.writeStringProperty("description", TextReport.visible(text));
    g.writeStringProperty("check_name", rule);
    g.writeStringProperty("fingerprint", fingerprint);
    g.writeStringProperty("severity", severity);
    g.writeObjectPropertyStart("location");
    g.writeStringProperty("path", result.run().fromHere(path));
    g.writeObjectPropertyStart("lines");
    g.writeNumberProperty("begin", Math.max(1, line));
    if (endLine > line && line > 0) {
      g.writeNumberProperty("end", endLine);
    }
    g.writeEndObject();
    g.writeEndObject();
    g.writeEndObject();
  }
}
