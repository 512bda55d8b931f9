package dev.rocport.lang.python;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides where the gate is defined, and writes the lines that define it. */
final class GatePlaces {
  /** Decorators whose compilers read the function's text and know no such name as the gate. */
  private static final List<String> COMPILERS =
      List.of("triton.", "torch.jit.", "numba.", "tilelang.", "cutlass.", "warp.", "taichi.");

  private final GateFile in;
  private final SourceFile file;
  private final PythonTree tree;
  private final PythonLines lines;
  private final Home home;
  private final Changes changes;
  private final Inspections inspections;
  private final String name;
  private final @Nullable Stmt anchor;
  private final int given;
  private int firstUse = Integer.MAX_VALUE;
  private boolean atModule;

  /** The gate of a file without torch, if it gets one; null otherwise. */
  private @Nullable BareGate bare;

  private String rule = "";
  private final Set<String> imports = new TreeSet<>();
  private final List<Block> blocks = new ArrayList<>();

  /** Statements of functions before which the gate is needed, and the rule that asked. */
  private final Map<Stmt, Set<String>> local = new LinkedHashMap<>();

  private final Map<Stmt, String> localRule = new HashMap<>();

  GatePlaces(GateFile in, Changes changes) {
    this.in = in;
    this.file = in.file();
    this.tree = in.tree();
    this.lines = in.lines();
    this.home = in.home();
    this.changes = changes;
    this.inspections = in.inspections();
    this.name = in.name();
    this.bare = in.isBuild() ? BareGate.BUILD : null;
    this.anchor = in.anchor();
    this.given = in.given();
  }

  private record Block(String text, String rule) {}

  /**
   * Makes sure that the gate is defined at a place.
   *
   * @return empty if done, else why it cannot be
   */
  String need(At at, String by) {
    int use = at.statement().node().start();
    boolean atImport = at.scope().isAtImport();
    if (isCompiled(at)) {
      return "a compiler reads the source of the enclosing function, in which is_rocm is not"
          + " defined";
    }
    if (bare == BareGate.DRIVERS || in.isByDrivers()) {
      return "in this file, the drivers set is_rocm, not PyTorch";
    }
    if (given >= 0) {
      if (use >= lines.next(given)) {
        return "";
      }
      // A function that is before the definition may be called before it, too.
      return atImport ? "the file defines is_rocm only after this line" : inFunction(at, by);
    }
    if (in.isBuild()) {
      return inBare(BareGate.BUILD, use, in.behindImports(), by);
    }
    boolean local = anchor == null || (!atImport && use < anchor.start());
    if (!local && inspections.looksAtGlobals()) {
      return "the program inspects its own globals, where the gate would be visible";
    }
    if (!local && home instanceof Home.Own && !tree.isOnlyTorch()) {
      return "the name 'torch' does not always refer to the module torch in this file";
    }
    if (anchor != null) {
      if (atImport && use < anchor.end()) {
        return importsOnly(use, anchor.start())
            ? moduleUse(use, by)
            : "it runs before torch is imported";
      }
      if (atImport && use < lines.next(anchor.end())) {
        return "it is on the line that imports torch";
      }
      if (!atImport && use < anchor.start()) {
        return inFunction(at, by);
      }
      return atImport
          ? moduleUse(GateFile.startWithDecorators(at.top()), by)
          : moduleUse(firstUse, by);
    }
    if (!atImport) {
      return inFunction(at, by);
    }
    return "the file does not import torch";
  }

  /** Has a name of the module {@code _rocm} imported where the gate of a place is defined. */
  void helper(At at, String helper) {
    if (!atModule && given < 0) {
      Stmt statement = localOf(at);
      local.getOrDefault(statement, imports).add(helper);
    } else {
      atModule = true;
      imports.add(helper);
    }
  }

  /** Adds lines directly after the import of torch. */
  void block(String text, String by) {
    moduleUse(firstUse, by);
    blocks.add(new Block(text, by));
  }

  /**
   * Makes sure that the gate is defined at a place, by the drivers if the file has no other gate.
   *
   * @return empty if done, else why it cannot be
   */
  String needByDrivers(At at, String by) {
    if (in.isByDrivers()) {
      boolean after = at.statement().node().start() >= lines.next(given);
      return after ? "" : "the file defines is_rocm only after this line";
    }
    if (in.isBuild() || given >= 0 || !local.isEmpty()) {
      return need(at, by);
    }
    String why = inBare(BareGate.DRIVERS, GateFile.startWithDecorators(at.top()), 0, by);
    if (why.isEmpty()) {
      bare = BareGate.DRIVERS;
    }
    return why;
  }

  /**
   * Puts a gate without torch into the module.
   *
   * @param from the place from which it is defined
   */
  private String inBare(BareGate gate, int use, int from, String by) {
    if (inspections.looksAtGlobals()) {
      return "the program inspects its own globals, where the gate would be visible";
    }
    for (String name : gate.names()) {
      if (in.isTakenByFile(name)) {
        return "the file uses the name " + name + " for something else";
      }
    }
    return use < from ? "it is among the imports" : moduleUse(use, by);
  }

  /**
   * Returns whether only imports are between a statement and the import of torch: that import may
   * come first.
   */
  private boolean importsOnly(int from, int to) {
    Stmt anchor = Objects.requireNonNull(this.anchor);
    return tree.body().stream()
        .filter(s -> s.start() >= from && s.start() <= to)
        .allMatch(s -> s == anchor || ImportStatements.isIndifferent(s));
  }

  /** Returns whether a place is in the body of a function that Python does not run directly. */
  private boolean isCompiled(At at) {
    for (At a = at; a.parent() != null; a = a.parent()) {
      At around = a.parent();
      if (around.node() instanceof Stmt.Function f && f.body().contains(a.node())) {
        for (Expr d : f.decorators()) {
          Expr name = d instanceof Expr.Call c ? c.function() : d;
          String compiler = tree.qualified(name, around.scope());
          if (COMPILERS.stream().anyMatch(compiler::startsWith)
              && !compiler.equals("torch.jit.ignore")
              && !compiler.equals("torch.jit.unused")) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Puts the gate in the module, before the first place that runs. */
  private String moduleUse(int use, String by) {
    firstUse = Math.min(firstUse, use);
    atModule = true;
    rule = rule.isEmpty() ? by : rule;
    return "";
  }

  /** Puts the gate in a function, since the file imports torch in functions only. */
  private String inFunction(At at, String by) {
    Stmt statement = localOf(at);
    if (statement == null) {
      return "no line can be inserted before it";
    }
    if (!(home instanceof Home.Module) && !tree.isTorchBefore(statement)) {
      return "torch is not imported at this point";
    }
    At scope = tree.at(statement);
    if (inspections.looksAtLocals(scope.scope())) {
      return "the function inspects its own locals, where the gate would be visible";
    }
    local.computeIfAbsent(statement, x -> new TreeSet<>());
    localRule.putIfAbsent(statement, by);
    return "";
  }

  /**
   * Returns the statement of the function before which a line can be put; null if there is none.
   */
  private @Nullable Stmt localOf(At at) {
    At s = at.statement();
    while (s.parent() != null
        && (s.scope().isClass
            || !lines.isFirst(s.node().start())
            || lines.isContinued(s.node().start())
            || isElse(s))) {
      s = s.parent().statement();
    }
    return s.node() instanceof Stmt statement && !s.scope().isAtImport() ? statement : null;
  }

  /** Returns whether it is an {@code elif}, before which no line can be put. */
  private boolean isElse(At s) {
    return file.text(s.node().start(), Math.min(file.length(), s.node().start() + 4))
        .equals("elif");
  }

  /** Writes the lines that the gates need; to be called once, at the end. */
  void finish() {
    local.forEach(
        (s, helpers) -> {
          int start = GateFile.startWithDecorators(s);
          int line = file.lineStart(file.line(start));
          String indent = lines.indentation(s.start());
          String text = indent + gateLine(helpers) + file.newline();
          if (home instanceof Home.Own && !helpers.isEmpty()) {
            text += indent + "if " + name + ":" + file.newline() + indent + in.unit();
            text += "from _rocm import " + String.join(", ", helpers) + file.newline();
          }
          changes.alsoEdit(Edit.before(line, text, localRule.getOrDefault(s, "")));
          needsModule(!helpers.isEmpty());
        });
    if (!atModule) {
      return;
    }
    if ((given < 0 && bare == null) || !imports.isEmpty()) {
      needsModule(!imports.isEmpty());
    }
    int at = place();
    boolean open = at == file.length() && at > 0 && file.bytes()[at - 1] != '\n';
    StringBuilder text = new StringBuilder();
    if (given < 0) {
      text.append(
              bare != null
                  ? bare.imports() + file.newline()
                  : home instanceof Home.Own && !bindsTorch(at)
                      ? Gate.IMPORT_FOR_GATE + file.newline()
                      : "")
          .append(gateLine(home instanceof Home.Module ? imports : Set.of()))
          .append(file.newline());
    } else if (home instanceof Home.Module && !imports.isEmpty()) {
      text.append("from ").append(in.module()).append(" import ");
      text.append(String.join(", ", imports)).append(file.newline());
    }
    if (home instanceof Home.Own && !imports.isEmpty()) {
      text.append("if ").append(name).append(":").append(file.newline()).append(in.unit());
      text.append("from _rocm import ").append(String.join(", ", imports)).append(file.newline());
    }
    if (open) {
      // The last line has no end: what follows ends as it does.
      blocks.forEach(b -> text.append(b.text()));
      text.setLength(text.length() - file.newline().length());
      changes.edit(Edit.after(at, file.newline() + text, rule));
      return;
    }
    // What opens at one place is in reverse order.
    for (Block b : blocks.reversed()) {
      changes.edit(Edit.before(at, b.text(), b.rule()));
    }
    changes.alsoEdit(Edit.before(at, text.toString(), rule));
  }

  /**
   * Returns where the gate is put: after the imports that follow that of torch, before the first
   * use.
   */
  private int place() {
    if (given >= 0) {
      return lines.next(given);
    }
    if (in.isBuild()) {
      return in.behindImports();
    }
    if (anchor == null || firstUse <= anchor.start()) {
      return file.lineStart(file.line(firstUse));
    }
    if (!blocks.isEmpty()) {
      return lines.next(anchor.end()); // before another import reads what they set
    }
    Stmt place = anchor;
    for (Stmt s : tree.body().subList(tree.body().indexOf(anchor) + 1, tree.body().size())) {
      boolean imports = s instanceof Stmt.Import || s instanceof Stmt.ImportFrom;
      if (!imports || s.start() >= firstUse) {
        break;
      }
      place = s;
    }
    return lines.next(place.end());
  }

  private boolean bindsTorch(int before) {
    return tree.module().own("torch").stream()
        .anyMatch(b -> tree.body().contains(b.at()) && b.at().end() <= before);
  }

  /** Adds the module {@code _rocm}; a file with its own gate needs it only for its helpers. */
  private void needsModule(boolean offers) {
    if (home instanceof Home.Module m) {
      changes.needsModule(m.path("_rocm"));
    } else if (offers) {
      changes.needsModule(in.beside("_rocm"));
    }
  }

  private String gateLine(Set<String> more) {
    if (bare == null && home instanceof Home.Module) {
      Set<String> names = new TreeSet<>(more);
      names.add(name.equals(Gate.GATE) ? Gate.GATE : Gate.GATE + " as " + name);
      return "from " + in.module() + " import " + String.join(", ", names);
    }
    return name + " = " + (bare != null ? bare.definition() : Gate.DEFINITION);
  }
}
