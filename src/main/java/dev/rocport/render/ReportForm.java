package dev.rocport.render;

import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.render.ci.AnnotationReport;
import dev.rocport.render.ci.GitlabReport;
import dev.rocport.render.ci.JUnitReport;
import dev.rocport.render.csv.CsvReport;
import dev.rocport.render.html.HtmlReport;
import dev.rocport.render.json.JsonReport;
import dev.rocport.render.markdown.MarkdownReport;
import dev.rocport.render.sarif.SarifReport;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextReport;
import java.io.Writer;

/** The forms of a report, each with its own file name. */
public enum ReportForm {
  TEXT("report.txt"),
  JSON("report.json"),
  SARIF("report.sarif"),
  JUNIT("report.junit.xml"),
  MD("report.md"),
  CSV("report.csv"),
  HTML("report.html"),
  /** Workflow commands of GitHub Actions; for standard output only. */
  GITHUB("report.github.txt"),
  /** GitLab Code Quality. */
  GITLAB("report.gitlab.json");

  private final String file;

  ReportForm(String file) {
    this.file = file;
  }

  /** Returns the name of the file in a folder of reports. */
  public String file() {
    return file;
  }

  /**
   * Writes a result and leaves the writer open.
   *
   * @param verdict what makes the run fail
   */
  public void write(Result result, Gate.Verdict verdict, Writer out) {
    switch (this) {
      case TEXT -> TextReport.write(result, Paper.PLAIN, out);
      case JSON -> JsonReport.write(result, out);
      case SARIF -> SarifReport.write(result, out);
      case JUNIT -> JUnitReport.write(result, verdict, out);
      case MD -> MarkdownReport.write(result, out);
      case CSV -> CsvReport.write(result, out);
      case HTML -> HtmlReport.write(result, verdict, out);
      case GITHUB -> AnnotationReport.write(result, out);
      case GITLAB -> GitlabReport.write(result, out);
    }
  }
}
