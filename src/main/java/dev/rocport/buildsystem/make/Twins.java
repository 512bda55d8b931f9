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
 * One tree for both: a makefile that changes gets a twin for ROCm beside it, and lines at its head
 * and end that read the twin in its place where USE_ROCM is 1.
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
    Changes told = fresh.apply(file);
    ported.findings().forEach(told::adopt);
    if (!ported.edits().isEmpty() && told.allows(GATE)) {
      String problem = problem(f);
      if (problem.isEmpty()) {
        gate(file, told);
        byte[] twin = ported.edits().apply(file.bytes());
        added.put(
            twin(file.path()),
            new BuildPort.Added(new String(twin, StandardCharsets.UTF_8), file.path()));
      } else {
        told.finding(GATE, Disposition.UNPORTED, 0, 0, problem);
      }
    }
    changes.put(file.path(), told);
  }

  /** Why a makefile cannot be put behind a condition. */
  private static String problem(MakeFile f) {
    String text = f.text();
    if (!f.isWhole()) {
      return "conditionals or definitions of this makefile are not closed: no twin was written";
    }
    if (text.contains("USE_ROCM")) {
      return "this makefile has a USE_ROCM of its own: no twin was written";
    }
    return text.stripTrailing().endsWith("\\")
        ? "this makefile ends in a line that goes on: no twin was written"
        : "";
  }

  private static void gate(SourceFile file, Changes told) {
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
    told.edit(Edit.before(at, MakeGate.GATE.around(head, nl), GATE));
    int end = file.length();
    boolean open = end > 0 && file.bytes()[end - 1] != '\n';
    List<String> last = List.of("endif");
    String closing = open ? MakeGate.GATE.atEnd(last, nl) : MakeGate.GATE.around(last, nl);
    told.alsoEdit(Edit.after(end, closing, GATE));
  }

  /** The path of a makefile's twin. */
  private static String twin(String path) {
    return path.matches(".*[^/]\\.(mk|mak|make|inc|def|defs)")
        ? path.replaceFirst("\\.(\\w+)$", ".rocm.$1")
        : path + ".rocm";
  }
}
