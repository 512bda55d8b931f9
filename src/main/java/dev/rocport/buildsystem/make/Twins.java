package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.command.Facts;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Single-source ports of makefiles. A makefile that changes gets a twin for ROCm next to it, and
 * lines at its head and end that read the twin instead if USE_ROCM is 1.
 */
final class Twins {
  private static final String GATE = "MAKE-GATE";

  private final SortedMap<String, Changes> changes;
  private final SortedMap<String, BuildPort.Added> added;
  private final Function<SourceFile, Changes> fresh;

  Twins(
      SortedMap<String, Changes> changes,
      SortedMap<String, BuildPort.Added> added,
      Function<SourceFile, Changes> fresh) {
    this.changes = changes;
    this.added = added;
    this.fresh = fresh;
  }

  void port(MakeFile f, Facts facts, Predicate<String> isSet) {
    SourceFile file = f.source();
    if (MakeGate.GATE.count(file) > 0) {
      return; // ported before
    }
    Changes ported = fresh.apply(file);
    new MakePort(f, facts, ported, isSet).port();
    Changes reported = fresh.apply(file);
    ported.findings().forEach(reported::adopt);
    if (!ported.edits().isEmpty() && reported.allows(GATE)) {
      String problem = problem(f);
      if (problem.isEmpty()) {
        gate(file, reported);
        byte[] twin = ported.edits().apply(file.bytes());
        added.put(
            twin(file.path()),
            new BuildPort.Added(new String(twin, StandardCharsets.UTF_8), file.path()));
      } else {
        reported.finding(GATE, Disposition.UNPORTED, 0, 0, problem);
      }
    }
    changes.put(file.path(), reported);
  }

  /** Returns why a makefile cannot be made conditional; empty if it can. */
  private static String problem(MakeFile f) {
    String text = f.text();
    if (!f.isWhole()) {
      return "this makefile has unclosed conditionals or definitions; no ROCm twin was written";
    }
    if (text.contains("USE_ROCM")) {
      return "this makefile already uses a variable USE_ROCM; no ROCm twin was written";
    }
    return text.stripTrailing().endsWith("\\")
        ? "the last line of this makefile ends in a backslash; no ROCm twin was written"
        : "";
  }

  private static void gate(SourceFile file, Changes reported) {
    String path = file.path();
    String nl = file.newline();
    String twin = twin(path);
    List<String> head =
        List.of(
            "ifeq ($(USE_ROCM),1)",
            "include $(dir $(lastword $(MAKEFILE_LIST)))"
                + twin.substring(twin.lastIndexOf('/') + 1),
            "else");
    boolean script = file.lines() > 0 && file.text(0, Math.min(2, file.length())).equals("#!");
    int at = script && file.lines() > 1 ? file.lineStart(2) : 0;
    reported.edit(Edit.before(at, MakeGate.GATE.around(head, nl), GATE));
    int end = file.length();
    boolean open = end > 0 && file.bytes()[end - 1] != '\n';
    List<String> last = List.of("endif");
    String closing = open ? MakeGate.GATE.atEnd(last, nl) : MakeGate.GATE.around(last, nl);
    reported.alsoEdit(Edit.after(end, closing, GATE));
  }

  /** Returns the path of the twin of a makefile. */
  private static String twin(String path) {
    return path.matches(".*[^/]\\.(mk|mak|make|inc|def|defs)")
        ? path.replaceFirst("\\.(\\w+)$", ".rocm.$1")
        : path + ".rocm";
  }
}
