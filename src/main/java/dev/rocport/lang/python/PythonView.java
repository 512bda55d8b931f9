package dev.rocport.lang.python;

import dev.rocport.core.edit.Remainder;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.syntax.Children;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Node;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A Python file as an NVIDIA build runs it: without the gates that are false there, whoever wrote
 * them. A gate is a name that is imported from a module {@code _rocm}, or for Triton kernels from
 * {@code _rocm_triton}, or set once to {@code hasattr(torch.version, "hip") and torch.version.hip
 * is not None}.
 *
 * <ul>
 *   <li>{@code (a if is_rocm else b)} is {@code b}, and so with {@code is_rocm and ...};
 *   <li>{@code if is_rocm:} is removed with its branch, and its {@code else} branch moves left into
 *       its place;
 *   <li>{@code if not is_rocm:} is removed, and its branch moves left;
 *   <li>the line that imports or sets the gate is removed.
 * </ul>
 *
 * <p>One class, because each removal reads and extends the same set of removed offsets.
 */
public final class PythonView {
  /** Modules that have the gate. */
  public static final Set<String> GATE_MODULES = Gate.MODULES;

  private static final SortedSet<String> NO_IMPORTS = Collections.emptySortedSet();

  private static final Set<String> WORDS =
      Set.of(
          "and", "assert", "await", "elif", "else", "if", "in", "is", "lambda", "not", "or",
          "return", "while", "yield", "from", "del", "raise", "match", "case", "as");

  private final SourceFile file;
  private final PythonLines lines;
  private final PythonTree tree;
  private final Set<String> names;
  private final BitSet cut;
  private final List<Node> strings = new ArrayList<>();

  /** What is on NVIDIA in the place of an {@code if} or a conditional expression. */
  private final IdentityHashMap<Node, List<? extends Node>> resolved = new IdentityHashMap<>();

  private int gates;

  private PythonView(SourceFile file, PythonFile parsed, Set<String> names) {
    this.file = file;
    this.lines = new PythonLines(file);
    this.tree = PythonTree.of(file, parsed);
    this.names = new TreeSet<>(names);
    this.cut = new BitSet(file.length());
  }

  /**
   * What is left.
   *
   * @param bytes the text without gates
   * @param gates how many were taken out, their definitions not counted
   * @param cut the offsets that are not part of it
   * @param imports the modules of {@link #GATE_MODULES} that gates come from
   * @param problem why the file cannot be read; empty if it can
   */
  public record View(
      byte[] bytes, int gates, BitSet cut, SortedSet<String> imports, String problem) {
    /** Offset in the file of a place in {@link #bytes}. */
    public int offset(int at) {
      return new Remainder(bytes, cut).offset(at);
    }
  }

  /**
   * True for a module whose gate is sound: set to what PyTorch reports about itself, and to False
   * where there is no PyTorch.
   */
  public static boolean isGateModule(byte[] bytes) {
    PythonFile parsed = PythonFile.parse(bytes);
    if (!parsed.problems().isEmpty()) {
      return false;
    }
    SourceFile file = new SourceFile("", bytes);
    PythonTree tree = PythonTree.of(file, parsed);
    List<Scope.Binding> all = tree.module().own(Gate.GATE);
    return all.stream().allMatch(b -> b instanceof Scope.Value v && isSound(v, tree))
        && all.stream()
            .anyMatch(b -> b instanceof Scope.Value v && !tree.text(v.value()).equals("False"));
  }

  private static boolean isSound(Scope.Value v, PythonTree tree) {
    String text = tree.text(v.value());
    return text.equals("False")
        || text.equals(Gate.DEFINITION)
        || text.equals("tl.constexpr(" + Gate.DEFINITION + ")");
  }

  /**
   * Takes the gates out of a file, or of the code in a notebook.
   *
   * @param names further names that are true on ROCm and false elsewhere
   */
  public static View of(SourceFile file, Set<String> names) {
    if (!Notebook.isNotebook(file.path())) {
      return python(file, names);
    }
    try {
      Notebook notebook = Notebook.of(file);
      return notebook.without(python(notebook.python(), names));
    } catch (NotebookReader.NotNotebook e) {
      return new View(
          file.bytes(), 0, new BitSet(), NO_IMPORTS, "not a notebook: " + e.getMessage());
    }
  }

  private static View python(SourceFile file, Set<String> names) {
    PythonFile parsed = PythonFile.parse(file.bytes());
    if (!parsed.problems().isEmpty()) {
      String problem = "is not valid Python: " + parsed.problems().getFirst().message();
      return new View(file.bytes(), 0, new BitSet(), NO_IMPORTS, problem);
    }
    PythonView view = new PythonView(file, parsed, names);
    GateDefinitions definitions = new GateDefinitions(file, view.lines, view.tree, view.cut);
    view.names.addAll(definitions.names());
    if (!view.names.isEmpty()) {
      parsed.body().forEach(view::strings);
      parsed.body().forEach(view::statement);
    }
    GateSafety safety = new GateSafety(file, view.tree, view.cut, view.resolved);
    String problem = safety.uses(definitions.found());
    definitions.cut(view.resolved.keySet());
    view.cutLastLineEnd();
    byte[] rest = new Remainder(file.bytes(), view.cut).bytes();
    if (problem.isEmpty() && !view.cut.isEmpty()) {
      problem = safety.effects();
    }
    if (problem.isEmpty() && !view.cut.isEmpty()) {
      problem = safety.structure(rest);
    }
    return problem.isEmpty()
        ? new View(rest, view.gates, view.cut, definitions.imports(), "")
        : new View(file.bytes(), 0, new BitSet(), definitions.imports(), problem);
  }

  private enum Truth {
    /** The gate itself, or the gate and more: false on NVIDIA. */
    FALSE,
    /** Not the gate: true on NVIDIA. */
    TRUE,
    OPEN
  }

  private Truth truth(Expr x) {
    return switch (x) {
      case Expr.Name n when names.contains(n.id()) -> Truth.FALSE;
      case Expr.Logical l
          when l.op().equals("and") && truth(l.operands().getFirst()) == Truth.FALSE ->
          Truth.FALSE;
      case Expr.Unary u
          when u.op().equals("not")
              && u.operand() instanceof Expr.Name n
              && names.contains(n.id()) ->
          Truth.TRUE;
      default -> Truth.OPEN;
    };
  }

  private void strings(Node node) {
    if (node instanceof Expr.Text && file.line(node.start()) != file.line(node.end())) {
      strings.add(node);
    }
    Children.of(node).forEach(this::strings);
  }

  private void statement(Node node) {
    if (node instanceof Stmt.If i && branch(i)) {
      return;
    }
    if (node instanceof Expr.Conditional c && truth(c.condition()) == Truth.FALSE && choice(c)) {
      statement(c.otherwise());
      return;
    }
    Children.of(node).forEach(this::statement);
  }

  /** True if the statement is dealt with, all that is left of it too. */
  private boolean branch(Stmt.If i) {
    Truth truth = truth(i.condition());
    if (truth == Truth.OPEN) {
      return false;
    }
    boolean elif = file.bytes()[i.start()] == 'e';
    if (truth == Truth.TRUE) {
      if (elif || !isBlock(i.start(), i.body()) || !isInside(i.start(), i.body())) {
        return false;
      }
      gates++;
      resolved.put(i, i.body());
      cutHeader(i.start(), i.body());
      dedent(i.start(), i.body(), i.otherwise().isEmpty() ? i.end() : i.body().getLast().end());
      if (!i.otherwise().isEmpty()) {
        cut.set(lines.next(i.body().getLast().end()), lines.next(i.end()));
      }
      i.body().forEach(this::statement);
      return true;
    }
    if (i.otherwise().isEmpty()) {
      gates++;
      resolved.put(i, List.of());
      cut.set(lineStart(i.start()), lines.next(i.end()));
      return true;
    }
    Stmt first = i.otherwise().getFirst();
    if (first instanceof Stmt.If e && file.bytes()[e.start()] == 'e' && !elif) {
      gates++;
      resolved.put(i, List.of(e));
      cut.set(i.start(), e.start() + 2); // elif becomes if
      if (!branchOfRest(e)) {
        Children.of(e).forEach(this::statement);
      }
      return true;
    }
    int otherwise = elseLine(i);
    if (otherwise < 0 || !(elif || isInside(i.start(), i.otherwise()))) {
      return false;
    }
    gates++;
    resolved.put(i, i.otherwise());
    if (elif) {
      cut.set(lineStart(i.start()), file.lineStart(otherwise));
    } else {
      cut.set(lineStart(i.start()), file.lineStart(otherwise + 1));
      dedent(i.start(), i.otherwise(), i.end());
    }
    i.otherwise().forEach(this::statement);
    return true;
  }

  /** An {@code elif} after a gate becomes an {@code if}; gates in it stay. */
  private boolean branchOfRest(Stmt.If e) {
    return truth(e.condition()) != Truth.OPEN;
  }

  /** The line that holds nothing but {@code else:}; -1 if it is not written so. */
  private int elseLine(Stmt.If i) {
    int from = file.line(i.body().getLast().end() - 1) + 1;
    int to = file.line(i.otherwise().getFirst().start());
    for (int line = from; line < to; line++) {
      String text = file.text(file.lineStart(line), file.lineEnd(line)).strip();
      if (text.equals("else:")) {
        return isBlock(file.lineStart(line), i.otherwise()) ? line : -1;
      }
    }
    return -1;
  }

  /** True if a branch is on lines of its own. */
  private boolean isBlock(int header, List<Stmt> body) {
    return file.line(start(body.getFirst())) > file.line(header);
  }

  /** True if a branch is indented as its gate is and more. */
  private boolean isInside(int gate, List<Stmt> body) {
    int first = start(body.getFirst());
    String outer = file.text(lineStart(gate), gate);
    String inner = file.text(lineStart(first), first);
    return inner.length() > outer.length() && inner.startsWith(outer);
  }

  private static int start(Stmt s) {
    return switch (s) {
      case Stmt.Function f when !f.decorators().isEmpty() -> f.decorators().getFirst().start();
      case Stmt.ClassOf c when !c.decorators().isEmpty() -> c.decorators().getFirst().start();
      default -> s.start();
    };
  }

  private void cutHeader(int start, List<Stmt> body) {
    int line = file.line(start);
    int last = line;
    // Comments between the header and the first statement belong to the branch.
    for (int l = line; l < file.line(start(body.getFirst())); l++) {
      String text = file.text(file.lineStart(l), file.lineEnd(l)).strip();
      if (text.endsWith(":") && !text.startsWith("#")) {
        last = l;
        break;
      }
    }
    cut.set(lineStart(start), file.lineStart(last + 1));
  }

  /** Moves a branch to the column of its gate. */
  private void dedent(int gate, List<Stmt> body, int end) {
    int by = column(start(body.getFirst())) - column(gate);
    int first = file.line(start(body.getFirst()));
    while (first > 1 && isComment(first - 1) && cutAt(first - 1)) {
      first--;
    }
    int last = file.line(Math.max(0, end - 1));
    for (int line = first; line <= last; line++) {
      int start = lineStart(file.lineStart(line));
      if (!file.text(start, file.lineEnd(line)).isBlank() && !inString(start)) {
        int from = start + column(gate);
        if (isSpace(start, from + by)) {
          cut.set(from, from + by);
        }
      }
    }
  }

  private boolean isComment(int line) {
    return file.text(file.lineStart(line), file.lineEnd(line)).strip().startsWith("#");
  }

  private boolean cutAt(int line) {
    return !cut.get(file.lineStart(line));
  }

  private boolean isSpace(int from, int to) {
    for (int i = from; i < to; i++) {
      if (i >= file.length() || (file.bytes()[i] != ' ' && file.bytes()[i] != '\t')) {
        return false;
      }
    }
    return true;
  }

  private boolean inString(int offset) {
    return strings.stream().anyMatch(s -> s.start() < offset && offset < s.end());
  }

  /** {@code (a if gate else b)} becomes {@code b}, with parentheses that are not its own kept. */
  private boolean choice(Expr.Conditional c) {
    int otherwise = c.condition().end();
    while (otherwise < file.length() && !startsWith(otherwise, "else")) {
      byte b = file.bytes()[otherwise];
      if (b == '#' || b == '"' || b == '\'') {
        return false;
      }
      otherwise++;
    }
    int from = otherwise + 5;
    if (from > c.otherwise().start()) {
      return false;
    }
    int open = before(c.start());
    int close = behind(c.end());
    gates++;
    resolved.put(c, List.of(c.otherwise()));
    if (open >= 0 && close >= 0 && isOwn(open)) {
      cut.set(open, from);
      cut.set(close);
    } else {
      cut.set(c.start(), from);
    }
    return true;
  }

  private boolean startsWith(int at, String word) {
    return at + word.length() <= file.length() && file.text(at, at + word.length()).equals(word);
  }

  /** The parenthesis right before an offset, or -1. */
  private int before(int offset) {
    return offset > 0 && file.bytes()[offset - 1] == '(' ? offset - 1 : -1;
  }

  private int behind(int offset) {
    return offset < file.length() && file.bytes()[offset] == ')' ? offset : -1;
  }

  /** False for the parenthesis of a call, a definition or a class. */
  private boolean isOwn(int open) {
    int i = open - 1;
    while (i >= 0 && (file.bytes()[i] == ' ' || file.bytes()[i] == '\t')) {
      i--;
    }
    if (i < 0) {
      return true;
    }
    byte b = file.bytes()[i];
    if (b == ')' || b == ']' || b == '}' || b == '"' || b == '\'') {
      return false;
    }
    int start = i;
    while (start >= 0
        && (Character.isLetterOrDigit(file.bytes()[start] & 0xff) || file.bytes()[start] == '_')) {
      start--;
    }
    return start == i || WORDS.contains(file.text(start + 1, i + 1));
  }

  // ---- lines

  /** Where the last line has no end and goes, the one before it has none. */
  private void cutLastLineEnd() {
    int last = file.length() - 1;
    if (last < 0 || file.bytes()[last] == '\n' || !cut.get(last)) {
      return;
    }
    int at = cut.previousClearBit(last);
    if (at > 0 && file.bytes()[at] == '\n') {
      cut.set(at);
      if (file.bytes()[at - 1] == '\r') {
        cut.set(at - 1);
      }
    }
  }

  /** A line's first byte that may go: a mark stays. */
  private int lineStart(int offset) {
    return lines.start(file.line(offset));
  }

  private int column(int offset) {
    return offset - lineStart(offset);
  }
}
