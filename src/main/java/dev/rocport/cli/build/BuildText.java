package dev.rocport.cli.build;

import dev.rocport.build.BuildResult;
import dev.rocport.build.link.LinkResult;
import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.render.text.Paper;
import dev.rocport.render.text.TextTable;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** The result of a build as readable text. */
final class BuildText {
  private final Paper paper;
  private final Path root;

  BuildText(Paper paper, Path root) {
    this.paper = paper;
    this.root = root;
  }

  String render(BuildResult result, Result assessed) {
    StringBuilder out = new StringBuilder();
    TextTable units = new TextTable("llrl", "unit", "status", "seconds", "GPU code");
    for (UnitResult u : result.units()) {
      units.row(u.path(), status(u), "%.1f".formatted(u.seconds()), code(u));
    }
    out.append(units.render(paper, ""));
    if (!result.links().isEmpty()) {
      TextTable links = new TextTable("lll", "program", "status", "made of");
      for (LinkResult l : result.links()) {
        String name = BuildReport.path(root, l.output());
        String state = l.status().name().toLowerCase(Locale.ROOT);
        String what = l.message().isEmpty() ? String.join(" ", l.inputs()) : oneLine(l.message());
        links.row(name, state, what);
      }
      out.append("\n").append(links.render(paper, ""));
    }
    for (Finding f : assessed.findings()) {
      out.append("\n");
      String place = f.line() == 0 ? f.path() : f.path() + ":" + f.line() + ":" + f.column();
      out.append(
          "%s: %s: %s [%s]%s%n"
              .formatted(
                  place,
                  paper.severity(f.severity()),
                  f.message(),
                  f.rule(),
                  assessed.isNew(f) ? "" : " (known)"));
      if (!f.snippet().isEmpty()) {
        out.append("    ").append(f.snippet()).append("\n");
      }
    }
    if (!result.notes().isEmpty()) {
      out.append("\n");
      result.notes().forEach(n -> out.append("note: ").append(n).append("\n"));
    }
    return out.append("\n").append(summary(result)).toString();
  }

  /** One line. */
  String summary(BuildResult r) {
    StringBuilder out = new StringBuilder();
    out.append(
        "%d units for %s (%s): %d compiled, %d cached"
            .formatted(
                r.units().size(),
                String.join(", ", r.targets()),
                r.source(),
                r.count(UnitResult.Status.COMPILED),
                r.count(UnitResult.Status.CACHED)));
    append(out, r.count(UnitResult.Status.TOO_NEW), "need newer headers");
    append(out, r.count(UnitResult.Status.FAILED), "failed");
    out.append("; %d linked".formatted(r.count(LinkResult.Status.LINKED)));
    append(out, r.count(LinkResult.Status.SKIPPED), "not linked");
    append(out, r.count(LinkResult.Status.FAILED), "failed to link");
    return out.append("; %.1f s%n".formatted(r.seconds())).toString();
  }

  private static void append(StringBuilder out, long count, String what) {
    if (count > 0) {
      out.append(", ").append(count).append(" ").append(what);
    }
  }

  private static String status(UnitResult u) {
    return switch (u.status()) {
      case COMPILED -> "compiled";
      case CACHED -> "cached";
      case TOO_NEW -> "needs newer headers";
      case FAILED ->
          "failed for "
              + u.targets().entrySet().stream()
                  .filter(e -> !e.getValue())
                  .map(e -> e.getKey())
                  .collect(Collectors.joining(", "));
    };
  }

  private static String code(UnitResult u) {
    return u.kernels().entrySet().stream()
        .map(e -> e.getKey() + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", "; ");
  }
}
