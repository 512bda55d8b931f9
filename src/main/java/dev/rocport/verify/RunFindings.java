package dev.rocport.verify;

import dev.rocport.core.result.FileResult;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the checks of one run of a program have found, with the sources. */
public final class RunFindings {
  /** The variable that names the file for the findings, in the environment of a program. */
  public static final String VARIABLE = "ROCPORT_FINDINGS";

  /** More places than this are not shown. */
  private static final int MOST = 20;

  private final List<SeenFinding> seen;
  private final RuleCatalog catalog;
  private final String program;

  private RunFindings(List<SeenFinding> seen, RuleCatalog catalog, String program) {
    this.seen = seen;
    this.catalog = catalog;
    this.program = program;
  }

  /**
   * Reads the findings that a program has written.
   *
   * @param file lines of JSON; it need not exist
   * @param program the file that was run
   */
  public static RunFindings read(Path file, RuleCatalog catalog, String program)
      throws IOException {
    return new RunFindings(SeenFinding.read(file), catalog, program);
  }

  /** Whether anything was found that is more than a note. */
  public boolean hasDefects() {
    return seen.stream().anyMatch(f -> !f.benign());
  }

  /**
   * The findings as those of a port or an audit are given.
   *
   * @param checks that were on
   */
  public List<FileResult> files(String checks) throws IOException {
    return CheckFindings.of(seen, checks, catalog, program);
  }

  /**
   * Three lines of source for each place of a finding, and the line of the CUDA source that it was
   * ported from; for terminals.
   */
  public List<String> sources() throws IOException {
    SourcePlaces places = new SourcePlaces(catalog, program);
    Set<String> named = new LinkedHashSet<>();
    boolean anyUnknown = false;
    for (SeenFinding f : seen) {
      named.addAll(f.sources());
      anyUnknown |= f.source().isEmpty();
    }
    List<String> lines = new ArrayList<>();
    int shown = 0;
    for (String source : named) {
      SourcePlace place = places.of(source);
      List<String> excerpt = place.excerpt();
      if (excerpt.isEmpty() || shown++ == MOST) {
        continue;
      }
      lines.add("  %s:%d%s".formatted(place.path(), place.line(), place.notes(", ")));
      excerpt.forEach(l -> lines.add("  " + l));
    }
    if (shown > MOST) {
      lines.add("  and %d other lines".formatted(shown - MOST));
    }
    if (anyUnknown) {
      lines.add(
          "  Some findings have no line: compile with -gline-tables-only, as rocport build does.");
    }
    return List.copyOf(lines);
  }
}
