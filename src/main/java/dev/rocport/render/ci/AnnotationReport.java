package dev.rocport.render.ci;

import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.Severity;
import dev.rocport.render.text.TextReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;

/**
 * New findings as workflow commands of GitHub Actions, which shows them at their lines in a pull
 * request. The most severe come first, since GitHub shows only some per step.
 */
public final class AnnotationReport {
  private AnnotationReport() {}

  /**
   * Writes the report.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Result result, Appendable out) {
    List<Finding> sorted =
        result.findings().stream()
            .filter(result::isNew)
            .sorted(Comparator.comparing(Finding::severity, Comparator.reverseOrder()))
            .toList();
    try {
      for (Finding f : sorted) {
        out.append(command(result, f)).append('\n');
      }
      for (FileReport f : result.files()) {
        boolean told = f.result().findings().stream().anyMatch(x -> x.severity() == Severity.ERROR);
        if (f.result().status() == FileResult.Status.FAILED && !told) {
          out.append("::error file=")
              .append(property(result.run().fromHere(f.result().path())))
              .append("::")
              .append(data(f.result().message()))
              .append('\n');
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String command(Result result, Finding f) {
    String name = f.severity() == Severity.NOTE ? "notice" : f.severity().label();
    StringBuilder s = new StringBuilder("::").append(name);
    s.append(" file=").append(property(result.run().fromHere(f.path())));
    if (f.line() > 0) {
      s.append(",line=").append(f.line()).append(",endLine=").append(f.endLine());
      if (f.line() == f.endLine()) { // columns are only allowed within one line
        s.append(",col=").append(f.column()).append(",endColumn=").append(f.endColumn());
      }
    }
    s.append(",title=").append(property(f.rule())).append("::");
    String advice = f.advice().isBlank() ? "" : "\n" + f.advice().strip();
    return s.append(data(TextReport.visible(f.message()) + advice)).toString();
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(TextReport.visible(text)).replace(":", "%3A").replace(",", "%2C");
  }
}
