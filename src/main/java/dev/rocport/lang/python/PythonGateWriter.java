package dev.rocport.lang.python;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Clause;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes text behind the gate {@code is_rocm}, and defines the gate where needed. Everything that
 * it writes can be removed again, see {@link PythonView}. If it cannot write, it returns the
 * reason.
 */
final class PythonGateWriter {
  /** The gate's name. */
  static final String GATE = "is_rocm";

  /** Its name where the file has another {@code is_rocm}. */
  static final String OTHER_NAME = "rocport_is_rocm";

  /** Its name in Triton kernels, for which it is a constant. */
  static final String IN_KERNELS = "is_rocm_kernel";

  /** The module that kernels have it from. */
  static final String TRITON = "_rocm_triton";

  /** The modules that have the gate. */
  static final Set<String> MODULES = Set.of("_rocm", TRITON);

  /** What it is, without the name of torch. */
  static final String DEFINITION =
      "hasattr(torch.version, \"hip\") and torch.version.hip is not None";

  /** What it is in a build without PyTorch: {@code USE_ROCM} where it is set, else what is here. */
  static final String BUILD_DEFINITION =
      "_os.environ.get(\"USE_ROCM\", \"1\" if _shutil.which(\"hipcc\") and not"
          + " _shutil.which(\"nvcc\") else \"0\") == \"1\"";

  /** The names that it needs, and the line that brings them. */
  static final List<String> BUILD_NAMES = List.of("_os", "_shutil");

  static final String IMPORT_FOR_BUILD = "import os as _os, shutil as _shutil  # for is_rocm";

  /** Ends the import of torch that a definition needed. */
  static final String IMPORT_FOR_GATE = "import torch  # for is_rocm";

  private static final String ALONE = "the project already has a module _rocm";

  /** Packages that import torch themselves. */
  private static final Set<String> IMPORT_TORCH =
      Set.of("torch", "torchvision", "torchaudio", "flash_attn", "xformers");

  /** Modules that do not care whether torch is imported before them or behind them. */
  private static final Set<String> INDIFFERENT =
      Set.of(
          "__future__",
          "abc",
          "argparse",
          "collections",
          "contextlib",
          "copy",
          "dataclasses",
          "datetime",
          "enum",
          "flash_attn",
          "functools",
          "glob",
          "importlib",
          "inspect",
          "io",
          "itertools",
          "json",
          "logging",
          "math",
          "operator",
          "os",
          "pathlib",
          "pickle",
          "platform",
          "py3nvml",
          "pynvml",
          "random",
          "re",
          "shutil",
          "string",
          "sys",
          "tempfile",
          "textwrap",
          "time",
          "traceback",
          "types",
          "typing",
          "typing_extensions",
          "warnings");

  /** Decorators whose compilers read the function's text and know no such name as the gate. */
  private static final List<String> COMPILERS =
      List.of("triton.", "torch.jit.", "numba.", "tilelang.", "cutlass.", "warp.", "taichi.");

  private static final Set<String> LOOK_UPS = Set.of("get", "setdefault", "update", "pop");

  private final SourceFile file;
  private final PythonTree tree;
  private final PythonLines lines;
  private final Home home;
  private final Changes changes;
  private final String name;
  private final String unit;

  /** A build without PyTorch, which has its own gate. */
  private final boolean build;

  /** The statement of the module after which torch is there; null if there is none. */
  private final @Nullable Stmt anchor;

  /** Where the file has the gate already; -1 if it has not. */
  private final int given;

  /** Where the names of a function are gone through. */
  private final List<At> listings;

  /** Whether new names of the module would be visible. */
  private final boolean looksAtGlobals;

  private int firstUse = Integer.MAX_VALUE;
  private boolean atModule;
  private String rule = "";
  private final Set<Node> gated = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<String> imports = new TreeSet<>();
  private final List<Block> blocks = new ArrayList<>();

  /** Statements of functions before which the gate is needed, and the rule that asked. */
  private final Map<Stmt, Set<String>> local = new LinkedHashMap<>();

  private final Map<Stmt, String> localRule = new HashMap<>();
  private final Map<String, Boolean> taken = new HashMap<>();

  /** What kernels call, and where the file imports it; -1 if nothing is needed. */
  private final Set<String> called = new TreeSet<>();

  private int kernelImport = -1;
  private String kernelRule = "";

  PythonGateWriter(SourceFile file, PythonTree tree, Home home, Changes changes) {
    this.file = file;
    this.tree = tree;
    this.lines = new PythonLines(file);
    this.build = !tree.imports("torch") && SetupPass.isBuild(tree);
    this.home = build ? new Home.Own(false) : home;
    this.changes = changes;
    this.given = given(tree);
    this.name = given < 0 && isTaken(tree) ? OTHER_NAME : GATE;
    this.unit = unit();
    this.anchor = anchor();
    this.listings =
        tree.all().stream().filter(a -> isListing(a, "locals") || isListing(a, "vars")).toList();
    this.looksAtGlobals =
        tree.all().stream().anyMatch(a -> isListing(a, "globals") || isListing(a, "vars"))
            || tree.all().stream()
                .anyMatch(a -> a.scope().isAtImport() && (isListing(a, "locals") || isDir(a)));
  }

  /** True for names of a scope that are gone through, not looked up one by one. */
  private static boolean isListing(At at, String function) {
    if (!(at.node() instanceof Expr.Call c)
        || !(c.function() instanceof Expr.Name n)
        || !n.id().equals(function)
        || !c.arguments().isEmpty()
        || at.parent() == null) {
      return false;
    }
    return switch (at.parent().node()) {
      case Expr.Subscript s -> s.base() != c;
      case Expr.Attribute a -> !LOOK_UPS.contains(a.name());
      case Expr.Comparison o -> false;
      default -> true;
    };
  }

  private static boolean isDir(At at) {
    return at.node() instanceof Expr.Call c
        && c.arguments().isEmpty()
        && c.function() instanceof Expr.Name n
        && n.id().equals("dir");
  }

  private boolean looksAtLocals(Scope scope) {
    return listings.stream().anyMatch(a -> a.scope() == scope);
  }

  private record Block(String text, String rule) {}

  // ---- what is there

  private static int given(PythonTree tree) {
    Scope.Binding b = tree.module().single(GATE);
    if (b == null) {
      return -1;
    }
    boolean ours =
        switch (b) {
          case Scope.Imported i ->
              ("." + i.qualified()).endsWith("._rocm." + GATE) && tree.body().contains(b.at());
          case Scope.Value v -> isDefinition(tree.text(v.value())) && tree.body().contains(b.at());
          case Scope.Other o -> false;
        };
    return ours ? b.at().end() : -1;
  }

  /** True for what a gate is set to in a file that defines its own. */
  static boolean isDefinition(String value) {
    return value.equals(DEFINITION) || value.equals(BUILD_DEFINITION);
  }

  private static boolean isTaken(PythonTree tree) {
    return tree.all().stream()
        .anyMatch(
            a ->
                (a.node() instanceof Expr.Name n && n.id().equals(GATE))
                    || !a.scope().own(GATE).isEmpty());
  }

  private String unit() {
    for (At a : tree.all()) {
      if (a.node() instanceof Stmt && a.parent() != null && lines.isFirst(a.node().start())) {
        String outer = lines.indentation(a.parent().statement().node().start());
        String inner = lines.indentation(a.node().start());
        if (inner.length() > outer.length() && inner.startsWith(outer)) {
          return inner.substring(outer.length());
        }
      }
    }
    return "    ";
  }

  private @Nullable Stmt anchor() {
    for (Stmt s : tree.body()) {
      if (importsTorch(s)) {
        return s;
      }
      if (home instanceof Home.Module
          && s instanceof Stmt.Try t
          && t.body().stream().anyMatch(PythonGateWriter::importsTorch)) {
        return s;
      }
    }
    return null;
  }

  static boolean importsTorch(Stmt s) {
    return switch (s) {
      case Stmt.Import i ->
          i.names().stream().anyMatch(n -> IMPORT_TORCH.contains(PythonProject.root(n.name())));
      case Stmt.ImportFrom f ->
          f.level() == 0 && IMPORT_TORCH.contains(PythonProject.root(f.module()));
      default -> false;
    };
  }

  // ---- changes

  /**
   * Makes an expression another one on ROCm: {@code (rocm if is_rocm else original)}.
   *
   * @param condition what must hold too, as {@code x in y}; empty for nothing
   * @param helper the name of the module {@code _rocm} that {@code rocm} uses; empty for none
   * @return empty if done, else why it cannot be
   */
  String expression(At at, String rocm, String condition, String helper, String rule) {
    if (gated.contains(at.node())) {
      return "";
    }
    if (build && !helper.isEmpty()) {
      return "the file does not import torch";
    }
    if (at.isInText()) {
      return "it is inside an f-string";
    }
    if (isPattern(at)) {
      return "it is a pattern";
    }
    if (!(at.node() instanceof Expr x) || !canBeWrapped(x)) {
      return "it is not an expression that can be put in parentheses";
    }
    String why =
        helper.isEmpty() || !isAlone()
            ? !helper.isEmpty() && isTakenByFile(helper)
                ? "the file has another " + helper
                : need(at, rule)
            : ALONE;
    if (!why.isEmpty()) {
      return why;
    }
    if (!helper.isEmpty()) {
      if (!atModule && given < 0) {
        Stmt statement = localOf(at);
        local.getOrDefault(statement, imports).add(helper);
      } else {
        atModule = true;
        imports.add(helper);
      }
    }
    gated.add(at.node());
    String and = condition.isEmpty() ? "" : " and " + condition;
    changes.edit(Edit.before(x.start(), "(" + rocm + " if " + name + and + " else ", rule));
    changes.alsoEdit(Edit.after(x.end(), ")", rule));
    return "";
  }

  /**
   * Makes an expression of a Triton kernel another one on ROCm. Triton reads the function's text
   * and evaluates only the side that a constant chooses.
   *
   * @param helper the function of the module {@code _rocm_triton} that {@code rocm} calls
   * @return empty if done, else why it cannot be
   */
  String kernel(At at, String rocm, String helper, String rule) {
    if (!(home instanceof Home.Module)) {
      return "the file belongs to no package to which a module can be added";
    }
    if (!(at.node() instanceof Expr x) || at.isInText() || !canBeWrapped(x)) {
      return "it is not an expression that can be put in parentheses";
    }
    if (looksAtGlobals) {
      return "the program inspects its own globals, where the gate would be visible";
    }
    for (String name : List.of(IN_KERNELS, helper)) {
      if (isTakenByFile(name)) {
        return "the file has another " + name;
      }
    }
    int place = behindTriton(startWithDecorators(at.top()));
    if (place < 0) {
      return "the file does not import triton before it";
    }
    called.add(helper);
    kernelImport = kernelImport < 0 ? place : Math.min(kernelImport, place);
    kernelRule = kernelRule.isEmpty() ? rule : kernelRule;
    gated.add(at.node());
    changes.edit(Edit.before(x.start(), "(" + rocm + " if " + IN_KERNELS + " else ", rule));
    changes.alsoEdit(Edit.after(x.end(), ")", rule));
    return "";
  }

  /** The line after the imports that follow the first one of triton; -1 if none comes before. */
  private int behindTriton(int use) {
    Stmt last = null;
    for (Stmt s : tree.body()) {
      boolean more = last != null && (s instanceof Stmt.Import || s instanceof Stmt.ImportFrom);
      if (s.start() >= use || (last != null && !more)) {
        break;
      }
      if (more || importsTriton(s)) {
        last = s;
      }
    }
    return last == null || lines.next(last.end()) > use ? -1 : lines.next(last.end());
  }

  private static boolean importsTriton(Stmt s) {
    return switch (s) {
      case Stmt.Import i ->
          i.names().stream().anyMatch(n -> PythonProject.root(n.name()).equals("triton"));
      case Stmt.ImportFrom f -> f.level() == 0 && PythonProject.root(f.module()).equals("triton");
      default -> false;
    };
  }

  private void finishKernels() {
    if (kernelImport >= 0 && home instanceof Home.Module m) {
      Set<String> names = new TreeSet<>(called);
      names.add(GATE + " as " + IN_KERNELS);
      String line = "from " + m.module(TRITON) + " import " + String.join(", ", names);
      changes.alsoEdit(Edit.before(kernelImport, line + file.newline(), kernelRule));
      changes.needsModule(m.path(TRITON));
    }
  }

  /** True if the name torch is PyTorch's wherever the gate is known. */
  boolean hasTorch() {
    return tree.isOnlyTorch()
        && (home instanceof Home.Own || !tree.module().own("torch").isEmpty());
  }

  /** True for an expression that is another one on ROCm by now. */
  boolean isGated(Node x) {
    return gated.contains(x);
  }

  private boolean isAlone() {
    return home instanceof Home.Own o && o.alone();
  }

  /** True in the pattern of a {@code case}, where no expression can be put. */
  private static boolean isPattern(At at) {
    for (At a = at; a.parent() != null && !(a.node() instanceof Stmt); a = a.parent()) {
      if (a.parent().node() instanceof Clause.Case c) {
        return c.guard().isEmpty() || c.guard().get() != a.node();
      }
    }
    return false;
  }

  private boolean canBeWrapped(Expr x) {
    return switch (x) {
      case Expr.Starred s -> false;
      case Expr.Yield y -> false;
      case Expr.Walrus w -> false;
      case Expr.TupleOf t -> t.end() > t.start() && file.bytes()[t.start()] == '(' && isOneTuple(t);
      case Expr.Comprehension c -> c.kind() != '(';
      default -> true;
    };
  }

  /** A tuple's own parentheses are the ones around all of it. */
  private boolean isOneTuple(Expr.TupleOf t) {
    return t.items().isEmpty() || t.items().getFirst().start() > t.start();
  }

  /**
   * Makes a statement another one on ROCm.
   *
   * @param rocm lines without indentation; none to leave it out there
   */
  String statement(At at, List<String> rocm, String rule) {
    Node s = at.node();
    int start = s.start();
    if (!lines.isFirst(start) || lines.isContinued(start) || !lines.endsLine(s.end())) {
      return "other statements are on its line";
    }
    String why = isAlone() && !rocm.isEmpty() ? ALONE : need(at, rule);
    if (!why.isEmpty()) {
      return why;
    }
    String indent = lines.indentation(start);
    String nl = file.newline();
    StringBuilder text = new StringBuilder();
    if (rocm.isEmpty()) {
      text.append("if not ").append(name).append(":").append(nl);
    } else {
      text.append("if ").append(name).append(":").append(nl);
      rocm.forEach(l -> text.append(indent).append(unit).append(l).append(nl));
      text.append(indent).append("else:").append(nl);
    }
    text.append(indent).append(unit);
    changes.edit(Edit.before(start, text.toString(), rule));
    for (int line = file.line(start) + 1; line <= file.line(s.end() - 1); line++) {
      int at0 = file.lineStart(line);
      if (at0 < file.lineEnd(line) && !lines.isBlank(line) && !isInString(at0, s)) {
        changes.alsoEdit(Edit.before(at0, unit, rule));
      }
    }
    return "";
  }

  /**
   * Adds lines that run on ROCm directly after a statement.
   *
   * @param condition what must hold too
   * @return empty if done, else why it cannot be
   */
  String behind(At at, String condition, List<String> rocm, String by) {
    Node s = at.node();
    int next = lines.next(s.end());
    boolean open = next == file.length() && file.bytes()[next - 1] != '\n';
    if (open || !lines.isFirst(s.start()) || !lines.endsLine(s.end()) || isInnerComment(next, s)) {
      return "no free line follows it";
    }
    String why = need(at, by);
    if (!why.isEmpty()) {
      return why;
    }
    String indent = lines.indentation(s.start());
    String nl = file.newline();
    StringBuilder text = new StringBuilder(indent);
    text.append("if ").append(name).append(" and ").append(condition).append(":").append(nl);
    rocm.forEach(l -> text.append(indent).append(unit).append(l).append(nl));
    changes.edit(Edit.before(next, text.toString(), by));
    return "";
  }

  /** A comment after a block that is indented like it would seem to belong to the lines added. */
  private boolean isInnerComment(int next, Node s) {
    int at = next;
    while (at < file.length() && Character.isWhitespace(file.bytes()[at])) {
      at++;
    }
    return at < file.length()
        && file.bytes()[at] == '#'
        && lines.indentation(at).length() > lines.indentation(s.start()).length();
  }

  /**
   * Adds lines that run on ROCm directly after the import of torch.
   *
   * @param at the code before that import that these lines correct
   */
  String afterTorch(At at, List<String> rocm, String by) {
    if (anchor == null || anchor.start() < at.node().end()) {
      return "the file does not import torch after this line";
    }
    moduleUse(firstUse, by);
    StringBuilder text = new StringBuilder("if " + name + ":" + file.newline());
    rocm.forEach(l -> text.append(unit).append(l).append(file.newline()));
    blocks.add(new Block(text.toString(), by));
    return "";
  }

  /**
   * The statement that binds a name to a module that is beside {@code _rocm}, on ROCm.
   *
   * @param names what to import of it; empty for the module itself
   * @param as what the file calls the module
   */
  String companion(String module, List<String> names, String as) {
    String from = home instanceof Home.Module m ? m.from() : "";
    if (names.isEmpty()) {
      String bound = as.isEmpty() || as.equals(module) ? module : module + " as " + as;
      return from.isEmpty() ? "import " + bound : "from " + from + " import " + bound;
    }
    String dot = from.isEmpty() || from.endsWith(".") ? "" : ".";
    return "from " + from + dot + module + " import " + String.join(", ", names);
  }

  /** Has a module and {@code _rocm} added to the ported tree. */
  void needs(String module) {
    for (String name : List.of(module, "_rocm")) {
      changes.needsModule(home instanceof Home.Module m ? m.path(name) : beside(name));
    }
  }

  // ---- the gate

  /** Makes sure that the gate is defined there. */
  private String need(At at, String by) {
    int use = at.statement().node().start();
    boolean atImport = at.scope().isAtImport();
    if (isCompiled(at)) {
      return "a compiler reads the source of its function and does not know is_rocm";
    }
    if (given >= 0) {
      if (use >= lines.next(given)) {
        return "";
      }
      // A function that is before the definition may be called before it, too.
      return atImport ? "the file defines is_rocm after it" : inFunction(at, by);
    }
    if (build) {
      return inBuild(use, by);
    }
    boolean local = anchor == null || (!atImport && use < anchor.start());
    if (!local && looksAtGlobals) {
      return "the program inspects its own globals, where the gate would be visible";
    }
    if (!local && home instanceof Home.Own && !tree.isOnlyTorch()) {
      return "the name torch does not always mean the module torch in this file";
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
      return atImport ? moduleUse(startWithDecorators(at.top()), by) : moduleUse(firstUse, by);
    }
    if (!atImport) {
      return inFunction(at, by);
    }
    return "the file does not import torch";
  }

  /** After the imports that a build begins with. */
  private String inBuild(int use, String by) {
    if (looksAtGlobals) {
      return "the program inspects its own globals, where the gate would be visible";
    }
    for (String name : BUILD_NAMES) {
      if (isTakenByFile(name)) {
        return "the file has another " + name;
      }
    }
    if (use < behindImports()) {
      return "it is among the imports";
    }
    return moduleUse(use, by);
  }

  /** The line after the imports at the beginning of the file. */
  private int behindImports() {
    int at = -1;
    for (Stmt s : tree.body()) {
      if (!isImport(s) && !(s instanceof Stmt.Expression e && e.value() instanceof Expr.Text)) {
        return at < 0 ? file.lineStart(file.line(startWithDecorators(s))) : at;
      }
      at = lines.next(s.end());
    }
    return file.length();
  }

  private static boolean isImport(Stmt s) {
    return switch (s) {
      case Stmt.Import i -> true;
      case Stmt.ImportFrom f -> true;
      case Stmt.Try t ->
          t.body().stream().allMatch(PythonGateWriter::isImport)
              && t.handlers().stream()
                  .allMatch(h -> h.body().stream().allMatch(PythonGateWriter::isImport));
      default -> false;
    };
  }

  /**
   * True if only imports are between a statement and the import of torch: that import may come
   * first.
   */
  private boolean importsOnly(int from, int to) {
    Stmt anchor = Objects.requireNonNull(this.anchor);
    return tree.body().stream()
        .filter(s -> s.start() >= from && s.start() <= to)
        .allMatch(s -> s == anchor || isIndifferent(s));
  }

  static boolean isIndifferent(Stmt s) {
    return switch (s) {
      case Stmt.Import i ->
          i.names().stream().allMatch(n -> INDIFFERENT.contains(PythonProject.root(n.name())));
      case Stmt.ImportFrom f ->
          f.level() == 0 && INDIFFERENT.contains(PythonProject.root(f.module()));
      default -> false;
    };
  }

  /** True in the body of a function that Python does not run directly. */
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

  private static int startWithDecorators(Node n) {
    List<Expr> decorators =
        switch (n) {
          case Stmt.Function f -> f.decorators();
          case Stmt.ClassOf c -> c.decorators();
          default -> List.of();
        };
    return decorators.isEmpty() ? n.start() : decorators.getFirst().start();
  }

  /** The file imports torch in functions only: so does it with the gate. */
  private String inFunction(At at, String by) {
    Stmt statement = localOf(at);
    if (statement == null) {
      return "no free line precedes it";
    }
    if (!(home instanceof Home.Module) && !tree.isTorchBefore(statement)) {
      return "torch is not imported at this point";
    }
    At scope = tree.at(statement);
    if (looksAtLocals(scope.scope())) {
      return "the function inspects its own locals, where the gate would be visible";
    }
    local.computeIfAbsent(statement, x -> new TreeSet<>());
    localRule.putIfAbsent(statement, by);
    return "";
  }

  /** The statement of the function before which a line can be put; null if there is none. */
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

  private boolean isTakenByFile(String helper) {
    return taken.computeIfAbsent(
        helper, h -> tree.all().stream().anyMatch(a -> !a.scope().own(h).isEmpty()));
  }

  /** An {@code elif} is not a place to put a line before. */
  private boolean isElse(At s) {
    return file.text(s.node().start(), Math.min(file.length(), s.node().start() + 4))
        .equals("elif");
  }

  /** Writes the lines that the gates need; to be called once, at the end. */
  void finish() {
    finishKernels();
    local.forEach(
        (s, helpers) -> {
          int start = startWithDecorators(s);
          int line = file.lineStart(file.line(start));
          String indent = lines.indentation(s.start());
          String text = indent + gateLine(helpers) + file.newline();
          if (home instanceof Home.Own && !helpers.isEmpty()) {
            text += indent + "if " + name + ":" + file.newline() + indent + unit;
            text += "from _rocm import " + String.join(", ", helpers) + file.newline();
          }
          changes.alsoEdit(Edit.before(line, text, localRule.getOrDefault(s, "")));
          needsModule(!helpers.isEmpty());
        });
    if (!atModule) {
      return;
    }
    if (given < 0 || !imports.isEmpty()) {
      needsModule(!imports.isEmpty());
    }
    int at = place();
    boolean open = at == file.length() && at > 0 && file.bytes()[at - 1] != '\n';
    StringBuilder text = new StringBuilder();
    if (given < 0) {
      text.append(
              build
                  ? IMPORT_FOR_BUILD + file.newline()
                  : home instanceof Home.Own && !bindsTorch(at)
                      ? IMPORT_FOR_GATE + file.newline()
                      : "")
          .append(gateLine(home instanceof Home.Module ? imports : Set.of()))
          .append(file.newline());
    } else if (home instanceof Home.Module && !imports.isEmpty()) {
      text.append("from ").append(module()).append(" import ");
      text.append(String.join(", ", imports)).append(file.newline());
    }
    if (home instanceof Home.Own && !imports.isEmpty()) {
      text.append("if ").append(name).append(":").append(file.newline()).append(unit);
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

  /** Where the gate comes from: after the imports that follow torch's, before the first use. */
  private int place() {
    if (given >= 0) {
      return lines.next(given);
    }
    if (build) {
      return behindImports();
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

  private String module() {
    return home instanceof Home.Module m ? m.module("_rocm") : "_rocm";
  }

  /** The module {@code _rocm}; a file with its own gate needs it only for its helpers. */
  private void needsModule(boolean offers) {
    if (home instanceof Home.Module m) {
      changes.needsModule(m.path("_rocm"));
    } else if (offers) {
      changes.needsModule(beside("_rocm"));
    }
  }

  /** A module in the folder of the file. */
  private String beside(String module) {
    int slash = file.path().lastIndexOf('/');
    return file.path().substring(0, slash + 1) + module + ".py";
  }

  private String gateLine(Set<String> more) {
    if (home instanceof Home.Module) {
      Set<String> names = new TreeSet<>(more);
      names.add(name.equals(GATE) ? GATE : GATE + " as " + name);
      return "from " + module() + " import " + String.join(", ", names);
    }
    return name + " = " + (build ? BUILD_DEFINITION : DEFINITION);
  }

  private boolean isInString(int offset, Node statement) {
    for (At a : tree.all()) {
      if (a.node() instanceof Expr.Text t
          && t.start() < offset
          && offset < t.end()
          && statement.start() <= t.start()) {
        return true;
      }
    }
    return false;
  }
}
