package dev.rocport.build.link;

import dev.rocport.build.compile.Diagnostic;
import dev.rocport.build.compile.DiagnosticParser;
import dev.rocport.io.process.Exec;
import java.util.List;

/** Formats the reason of a failed link in one line. */
public final class LinkMessage {
  private static final int MOST = 8;

  private LinkMessage() {}

  public static String of(Exec.Outcome outcome) {
    if (outcome.timedOut()) {
      return "the linker exceeded the time limit and was stopped";
    }
    if (outcome.killed()) {
      return "the linker was killed by the system, probably because memory ran out";
    }
    List<String> errors =
        DiagnosticParser.parse(outcome.stderr(), "").stream()
            .filter(Diagnostic::isError)
            .map(Diagnostic::message)
            .filter(m -> !m.startsWith("linker command failed"))
            .distinct()
            .toList();
    if (errors.isEmpty()) {
      String text = outcome.stderr().strip();
      return text.isEmpty() ? "the linker failed with exit code " + outcome.code() : text;
    }
    String more = errors.size() > MOST ? "; and %d more".formatted(errors.size() - MOST) : "";
    return String.join("; ", errors.stream().limit(MOST).toList()) + more;
  }
}
