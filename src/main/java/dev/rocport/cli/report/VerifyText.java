package dev.rocport.cli.report;

import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.VerifyTables;

/** The result of a verification as readable text. */
final class VerifyText {
  private VerifyText() {}

  static String render(Result result, VerifyInfo info, Paper paper) {
    StringBuilder out = new StringBuilder();
    for (Finding f : result.findings()) {
      String place = f.line() == 0 ? f.path() : f.path() + ":" + f.line() + ":" + f.column();
      out.append(
          "%s: %s: %s [%s]%s%n"
              .formatted(
                  place,
                  paper.severity(f.severity()),
                  f.message().replaceAll("\\p{Cntrl}", " "),
                  f.rule(),
                  result.isNew(f) ? "" : " (known)"));
      if (!f.snippet().isEmpty()) {
        out.append("%6d | %s%n".formatted(f.line(), f.snippet().replaceAll("\\p{Cntrl}", " ")));
      }
    }
    return out.append(VerifyTables.text(info, paper)).toString();
  }
}
