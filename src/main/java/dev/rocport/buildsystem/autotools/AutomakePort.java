package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.autotools.AutomakeFile.Assignment;
import dev.rocport.buildsystem.autotools.AutomakeFile.Conditional;
import dev.rocport.buildsystem.autotools.AutomakeFile.Other;
import dev.rocport.buildsystem.autotools.AutomakeFile.Part;
import dev.rocport.buildsystem.autotools.AutomakeFile.Rule;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Ports one {@code Makefile.am}. In a HIP tree, CUDA names become ROCm names in place. In a
 * single-source tree, twins are inserted next to the originals, in gates; no line is changed.
 */
final class AutomakePort {
  private static final Pattern PURE = Pattern.compile("\\$[({]\\w+[)}]");

  /** Variables that automake or aclocal reads without expanding conditions. */
  private static final Set<String> FIXED =
      Set.of("ACLOCAL_AMFLAGS", "AUTOMAKE_OPTIONS", "SUFFIXES");

  private final Autotools owner;
  private final AutomakeFile made;
  private final SourceFile file;
  private final Renaming renaming;

  AutomakePort(Autotools owner, AutomakeFile made, Scripts scripts, AutotoolsCopies copies) {
    this.owner = owner;
    this.made = made;
    this.file = made.file();
    Set<String> own = new TreeSet<>();
    collect(made.parts(), own);
    this.renaming = new Renaming(own, scripts, copies);
    for (Assignment a : assignments(made.parts())) {
      copies.set(a.name(), file.text(a.value(), file.lineEnd(a.last())));
    }
  }

  Set<String> used() {
    return renaming.used;
  }

  Set<String> paths() {
    return renaming.paths;
  }

  private static void collect(List<Part> parts, Set<String> own) {
    for (Part p : parts) {
      switch (p) {
        case Assignment a -> own.add(a.name());
        case Conditional c -> {
          collect(c.then(), own);
          collect(c.other(), own);
        }
        case Rule r -> {}
        case Other o -> {}
      }
    }
  }

  /** Collects the scripts that rules call and the variables of the file that hold CUDA content. */
  void collect() {
    if (!made.isWhole() || AutomakeGate.GATE.count(file) > 0) {
      return;
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Assignment a : assignments(made.parts())) {
        boolean cuda = a.name().contains("NVCC") || a.name().contains("CUDA");
        if (cuda && !renaming.isRenamed(a.name()) && !renaming.assignment(made, a).isSame()) {
          renaming.rename(a.name());
          more = true;
        }
      }
    }
    rules(made.parts()).forEach(r -> renaming.rule(made, r));
    renaming.used.clear();
    renaming.paths.clear();
  }

  private static List<Assignment> assignments(List<Part> parts) {
    List<Assignment> list = new ArrayList<>();
    for (Part p : parts) {
      if (p instanceof Assignment a) {
        list.add(a);
      } else if (p instanceof Conditional c) {
        list.addAll(assignments(c.then()));
        list.addAll(assignments(c.other()));
      }
    }
    return list;
  }

  private static List<Rule> rules(List<Part> parts) {
    List<Rule> list = new ArrayList<>();
    for (Part p : parts) {
      if (p instanceof Rule r) {
        list.add(r);
      } else if (p instanceof Conditional c) {
        list.addAll(rules(c.then()));
        list.addAll(rules(c.other()));
      }
    }
    return list;
  }

  void port() {
    if (!owner.changes(file).allows(Autotools.MAKEFILE) || AutomakeGate.GATE.count(file) > 0) {
      return;
    }
    if (!made.isWhole()) {
      owner.problem(file, 0, 0, "this file has unclosed conditionals; it was not ported");
      return;
    }
    made.parts().forEach(owner.isSingleSource() ? this::twin : this::rename);
  }

  private void rename(Part part) {
    if (part instanceof Conditional c && !Names.isSwitch(c.name())) {
      c.then().forEach(this::rename);
      c.other().forEach(this::rename);
      return;
    }
    Renaming.Outcome o = renaming.of(made, List.of(part));
    if (report(o)) {
      for (Renaming.Change c : o.changes()) {
        edit(Edit.replace(c.start(), c.end(), c.text(), Autotools.MAKEFILE));
      }
    }
  }

  /** Reports problems and notes; returns false if there are problems. */
  private boolean report(Renaming.Outcome o) {
    o.problems().forEach(p -> owner.problem(file, p.start(), p.end(), p.message()));
    if (o.isClear()) {
      Changes changes = owner.changes(file);
      for (Renaming.Remark n : o.notes()) {
        changes.finding(Autotools.FLAG, Disposition.PORTED, n.start(), n.end(), n.message());
      }
      o.folders().forEach(this::folder);
    }
    return o.isClear();
  }

  private void folder(Renaming.Folder f) {
    String message = f.use().message(f.text());
    switch (f.use().kind()) {
      case NONE -> {}
      case LEFT_OUT ->
          owner
              .changes(file)
              .finding(Autotools.FLAG, Disposition.PORTED, f.start(), f.end(), message);
      case FOR_HOST ->
          owner
              .changes(file)
              .finding(
                  Autotools.FLAG,
                  Severity.WARNING,
                  Disposition.REVIEW,
                  f.start(),
                  f.end(),
                  message,
                  f.use().advice());
      case HIDES -> owner.problem(file, f.start(), f.end(), message);
    }
  }

  private void edit(Edit edit) {
    owner.changes(file).edit(edit);
  }

  private void twin(Part part) {
    switch (part) {
      case Conditional c -> {
        if (Names.isSwitch(c.name())) {
          conditional(c);
        } else {
          c.then().forEach(this::twin);
          c.other().forEach(this::twin);
        }
      }
      case Assignment a -> assignment(a);
      case Rule r -> whole(r, renaming.rule(made, r));
      case Other o -> {}
    }
  }

  private void conditional(Conditional c) {
    List<Part> parts = c.negated() ? c.other() : c.then();
    Renaming.Outcome o = renaming.of(made, parts);
    if (!report(o)) {
      return;
    }
    String rocm = Names.twin(c.name());
    int[] lines = c.whenTrue();
    List<String> before = new ArrayList<>();
    if (c.negated() && c.otherwise() == 0) {
      before.add("if !" + rocm);
    } else {
      before.add("if " + rocm);
      before.addAll(twinLines(o, lines[0], lines[1] - 1));
      before.add("else");
    }
    gate(c.first(), before, c.last(), List.of("endif"));
  }

  private List<String> twinLines(Renaming.Outcome o, int first, int last) {
    if (last < first) {
      return List.of();
    }
    return o.text(file, file.lineStart(first), file.lineEnd(last)).lines().toList();
  }

  private void assignment(Assignment a) {
    Renaming.Outcome o = renaming.assignment(made, a);
    if (!report(o) || o.isSame()) {
      return;
    }
    if (FIXED.contains(a.name())) {
      owner.problem(
          file,
          file.lineStart(a.first()),
          file.lineEnd(a.first()),
          a.name()
              + " uses CUDA, and automake does not allow this variable in a conditional; add the"
              + " ROCm value by hand");
      return;
    }
    if (renaming.isRenamed(a.name())) {
      gateAfter(a.last(), twinLines(o, a.first(), a.last()));
      return;
    }
    boolean lists = a.name().equals("EXTRA_DIST") || a.name().endsWith("_SCRIPTS");
    List<String> more = new ArrayList<>();
    for (Renaming.Change c : o.changes()) {
      String was = file.text(c.start(), c.end());
      if (lists && c.text().startsWith(was + " ")) {
        more.add(c.text().substring(was.length() + 1));
      } else if (isEmptyWithoutRocm(was) && PURE.matcher(c.text()).matches()) {
        more.add(c.text());
      } else {
        whole(a, o);
        return;
      }
    }
    gateAfter(a.last(), List.of(a.name() + " += " + String.join(" ", more)));
  }

  /** Returns whether a word only has flags that are empty if ROCm is not used. */
  private static boolean isEmptyWithoutRocm(String word) {
    return PURE.matcher(word).matches()
        && Names.variable(word.substring(2, word.length() - 1)).isPresent()
        && !word.substring(2, word.length() - 1).equals("NVCC");
  }

  /** Writes a part twice: for ROCm and unchanged. */
  private void whole(Part part, Renaming.Outcome o) {
    if (!report(o) || o.isSame()) {
      return;
    }
    List<String> before = new ArrayList<>();
    before.add("if " + switchName());
    before.addAll(twinLines(o, part.first(), part.last()));
    before.add("else");
    gate(part.first(), before, part.last(), List.of("endif"));
  }

  /** Returns the conditional that every ported configure defines. */
  private static String switchName() {
    return Names.twin("HAVE_CUDA");
  }

  private void gate(int first, List<String> before, int last, List<String> after) {
    edit(
        Edit.before(
            file.lineStart(first),
            AutomakeGate.GATE.around(before, file.newline()),
            Autotools.MAKEFILE));
    gateAfter(last, after);
  }

  private void gateAfter(int line, List<String> lines) {
    boolean noNewline =
        line >= file.lines() && file.length() > 0 && file.bytes()[file.length() - 1] != '\n';
    int at = line < file.lines() ? file.lineStart(line + 1) : file.length();
    String gate =
        noNewline
            ? AutomakeGate.GATE.atEnd(lines, file.newline())
            : AutomakeGate.GATE.around(lines, file.newline());
    owner.changes(file).edit(Edit.after(at, gate, Autotools.MAKEFILE));
  }
}
