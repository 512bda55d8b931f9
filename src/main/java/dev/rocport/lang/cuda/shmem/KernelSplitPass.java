package dev.rocport.lang.cuda.shmem;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Splits kernels over symmetric memory in which one block overwrites data that other blocks still
 * read. A kernel of one block that is launched afterwards writes it: the stream orders the two.
 */
public final class KernelSplitPass {
  static final String RULE = "SHMEM-SPLIT";
  private static final String SUFFIX = "_last";

  /** Functions of NVSHMEM that change nothing. */
  private static final Set<String> QUERIES =
      Set.of(
          "nvshmem_my_pe",
          "nvshmem_n_pes",
          "nvshmem_team_my_pe",
          "nvshmem_team_n_pes",
          "nvshmem_team_translate_pe",
          "nvshmem_ptr",
          "nvshmem_team_t");

  private final CudaFile f;
  private final Tokens t;

  /** What keeps a kernel from being split, in words. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
    private final int token;

    Refusal(int token, String why) {
      super(why, null, false, false);
      this.token = token;
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * A launch of the kernel: the statement, the kernel's name in it, and its grid if it is
   * specified.
   */
  private record Launch(Arguments.Span statement, int name, Arguments.Span grid) {}

  private KernelSplitPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (f.changes.allows(RULE)) {
      KernelSplitPass pass = new KernelSplitPass(f);
      for (Function k : Functions.of(f.t)) {
        if (Functions.isKernel(f.t, k) && ShmemNames.areIn(f.t, k.body(), k.close())) {
          pass.kernel(Statements.definitionStart(f.t, k.body()), k);
        }
      }
    }
  }

  private void kernel(int head, Function k) {
    LateWrites writes = new LateWrites(t, k);
    BitSet late = writes.late();
    if (late.isEmpty()) {
      return;
    }
    List<Arguments.Span> statements = writes.statements();
    int sync = writes.sync();
    Arguments.Span first = statements.get(late.nextSetBit(0));
    try {
      BitSet kept = slice(k, statements, late, writes.pointers());
      List<Launch> launches = launches(k);
      BitSet gone = new BitSet();
      gone.or(late);
      if (sync >= 0) {
        Arguments.Span s = statements.get(sync);
        f.changes.dropInside(lineStart(s.first()), lineEnd(s.last()));
        gone.set(sync);
        kept.clear(sync);
      }
      split(head, k, statements, gone, kept);
      boolean grid = !names(statements, kept).contains("gridDim");
      launches.forEach(l -> second(l, grid));
      told(
          first,
          Severity.NOTE,
          Disposition.PORTED,
          (sync < 0
                  ? "one block overwrites data that other blocks may still read: "
                  : "one block writes after all other blocks finish: ")
              + t.text(k.name())
              + SUFFIX
              + ", launched after "
              + t.text(k.name())
              + ", now writes the data");
    } catch (Refusal r) {
      if (sync >= 0) {
        return; // a cooperative launch does it as well
      }
      told(
          first,
          Severity.ERROR,
          Disposition.UNPORTED,
          "one block overwrites data that other blocks may still read; the kernel is not split,"
              + " because "
              + r.why()
              + (r.token < 0 ? "" : " (line " + f.source.line(t.start(r.token)) + ")"));
    }
  }

  private void told(Arguments.Span at, Severity severity, Disposition disposition, String message) {
    f.changes.finding(
        RULE,
        severity,
        disposition,
        t.start(at.first()),
        t.end(at.last()),
        message,
        "Write the data in a kernel of one block that is launched after this one, in the same"
            + " stream.");
  }

  // What the late part needs.

  private Set<String> names(List<Arguments.Span> statements, BitSet which) {
    Set<String> names = new HashSet<>();
    which.stream().forEach(n -> names.addAll(Variables.named(t, statements.get(n))));
    return names;
  }

  /** The statements that compute what the late ones need, the late ones among them. */
  private BitSet slice(
      Function k, List<Arguments.Span> statements, BitSet late, Set<String> pointers)
      throws Refusal {
    for (int i = k.body(); i < k.close(); i++) {
      if (t.inDirective(i)) {
        throw new Refusal(i, "the kernel contains a preprocessor directive");
      }
    }
    Set<String> needed = new HashSet<>();
    BitSet kept = new BitSet();
    for (int n = late.length() - 1; n >= 0; n--) {
      Arguments.Span s = statements.get(n);
      if (late.get(n)) {
        requireLast(statements, n, late, pointers);
      } else if (isSync(s)) {
        kept.set(n);
        continue;
      } else if (!gives(s, needed)) {
        continue;
      } else {
        requireNoEffect(s, pointers);
      }
      kept.set(n);
      needed.addAll(Variables.named(t, s));
      needed.removeAll(inner(s));
    }
    return kept;
  }

  /** Rejects later reads of what a late statement writes: which value is meant is unclear. */
  private void requireLast(
      List<Arguments.Span> statements, int n, BitSet late, Set<String> pointers) throws Refusal {
    Arguments.Span s = statements.get(n);
    int effect = effect(s);
    if (effect >= 0) {
      throw new Refusal(effect, "the same statement sends the data to other PEs");
    }
    Set<String> written = new HashSet<>(Variables.assigned(t, s));
    written.retainAll(pointers);
    for (int m = n + 1; m < statements.size(); m++) {
      Set<String> read = Variables.named(t, statements.get(m));
      read.retainAll(written);
      if (!late.get(m) && !read.isEmpty()) {
        throw new Refusal(
            statements.get(m).first(),
            "a later statement reads the data, so it is unclear which value is meant");
      }
    }
  }

  private void requireNoEffect(Arguments.Span s, Set<String> pointers) throws Refusal {
    int effect = effect(s);
    if (effect >= 0) {
      throw new Refusal(effect, "the written data depends on a statement that must not run twice");
    }
    Set<String> written = new HashSet<>(Variables.assigned(t, s));
    written.removeAll(Variables.declared(t, s));
    written.retainAll(pointers);
    if (!written.isEmpty()) {
      throw new Refusal(
          s.first(), "the written data depends on a statement that must not run twice");
    }
  }

  /** A call in the statement that does more than compute; -1 if there is none. */
  private int effect(Arguments.Span s) {
    for (int i = s.first(); i <= s.last(); i++) {
      if (t.isIdentifier(i) && t.is(i + 1, '(')) {
        boolean shmem = ShmemNames.isOne(t, i) && !QUERIES.contains(t.text(i));
        if (shmem || t.begins(i, "atomic")) {
          return i;
        }
      }
    }
    return -1;
  }

  private boolean isSync(Arguments.Span s) {
    return t.is(s.first(), "__syncthreads") && t.is(s.first() + 3, ';');
  }

  /** True if the statement declares, assigns, or passes a needed variable, or ends the thread. */
  private boolean gives(Arguments.Span s, Set<String> needed) {
    Set<String> inner = inner(s);
    Set<String> given = new HashSet<>(Variables.assigned(t, s));
    given.addAll(Variables.declared(t, s));
    for (int i = s.first(); i <= s.last(); i++) {
      if (t.is(i, "return")) {
        return true;
      }
      if (isCall(i)) {
        List<Arguments.Span> arguments = Arguments.of(t, i);
        if (ShmemNames.isOne(t, i - 1)) {
          arguments.stream().limit(1).map(a -> Arguments.variable(t, a)).forEach(given::add);
          continue;
        }
        for (Arguments.Span a : arguments) {
          if (a.first() == a.last() || t.is(a.first(), '&')) {
            given.addAll(Variables.named(t, a));
          }
        }
      }
    }
    given.removeAll(inner);
    return given.stream().anyMatch(needed::contains);
  }

  private boolean isCall(int open) {
    return t.is(open, '(') && (Functions.isCall(t, open - 1) || t.is(open - 1, '>'));
  }

  /** Variables that are local to a statement. */
  private Set<String> inner(Arguments.Span s) {
    return Statements.header(t, s.first()) >= 0 || t.is(s.first(), '{')
        ? Variables.declared(t, s)
        : Set.of();
  }

  // The launches.

  /** All statements that launch the kernel; they follow it in this file. */
  private List<Launch> launches(Function k) throws Refusal {
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !t.is(i, t.text(k.name())) || i == k.name()) {
        continue;
      }
      if (i < k.close() || t.inDirective(i)) {
        throw new Refusal(i, "the kernel is mentioned before its definition");
      }
      int first = Statements.start(t, i);
      int end = Statements.end(t, first, t.count());
      boolean simple =
          t.is(end, ';')
              && !t.is(first, "return")
              && !t.is(first, "if")
              && !t.is(first, "else")
              && !t.is(first, "for")
              && !t.is(first, "while")
              && Variables.declarators(t, first).isEmpty();
      if (!simple) {
        throw new Refusal(i, "its launch is not a separate statement");
      }
      launches.add(new Launch(new Arguments.Span(first, end), i, grid(first, end)));
    }
    if (launches.isEmpty()) {
      throw new Refusal(-1, "its launch is not in this file");
    }
    return launches;
  }

  /** The grid of a launch; empty (its last token before its first) if it is not specified. */
  private Arguments.Span grid(int first, int end) {
    for (int i = first; i < end; i++) {
      if (t.is(i, CollectiveLaunchPass.NAME) && t.is(i + 1, '(')) {
        List<Arguments.Span> a = Arguments.of(t, i + 1);
        return a.size() == 6 ? a.get(1) : new Arguments.Span(0, -1);
      }
      if (t.is(i, '<') && t.is(i + 1, '<') && t.is(i + 2, '<')) {
        List<Arguments.Span> a = Arguments.between(t, i + 3, end);
        return a.size() > 1 ? a.getFirst() : new Arguments.Span(0, -1);
      }
    }
    return new Arguments.Span(0, -1);
  }

  // The edits.

  private void split(
      int head, Function k, List<Arguments.Span> statements, BitSet gone, BitSet kept) {
    String nl = f.source.newline();
    List<Piece> pieces = new ArrayList<>();
    int at = t.start(head);
    for (int n = gone.nextSetBit(0); n >= 0; n = gone.nextSetBit(n + 1)) {
      pieces.add(new Piece.Moved(at, gap(k, statements, n)));
      at = lineEnd(statements.get(n).last());
    }
    int end = t.end(k.close());
    pieces.add(new Piece.Moved(at, end));
    pieces.add(new Piece.Text(nl + nl));
    pieces.add(new Piece.Moved(t.start(head), t.end(k.name())));
    pieces.add(new Piece.Text(SUFFIX));
    pieces.add(new Piece.Moved(t.end(k.name()), lineEnd(k.body())));
    for (int n = 0; n < statements.size(); n++) {
      Arguments.Span s = statements.get(n);
      int start = gone.get(n) ? gap(k, statements, n) : lineStart(s.first());
      if (kept.get(n)) {
        pieces.add(new Piece.Moved(start, lineEnd(s.last())));
      } else if (gone.get(n)) {
        pieces.add(new Piece.Moved(start, lineStart(s.first())));
      }
    }
    pieces.add(new Piece.Moved(lineStart(k.close()), end));
    f.changes.edit(new Edit(t.start(head), end, pieces, Edit.Side.BEFORE, RULE));
  }

  /** Where the comments before a statement begin. */
  private int gap(Function k, List<Arguments.Span> statements, int n) {
    return lineEnd(n == 0 ? k.body() : statements.get(n - 1).last());
  }

  /** Where the line begins that a token is the first of; else where what is before it ends. */
  private int lineStart(int i) {
    int line = f.source.lineStart(f.source.line(t.start(i)));
    return Math.max(line, t.end(i - 1));
  }

  /** After the line that a token is the last of; else where the token ends. */
  private int lineEnd(int i) {
    int end = f.source.lineStart(f.source.line(t.end(i) - 1) + 1);
    return t.start(i + 1) >= end ? end : t.end(i);
  }

  /** Launches the late part after the kernel. */
  private void second(Launch l, boolean oneBlock) {
    int start = t.start(l.statement().first());
    int end = t.end(l.statement().last());
    String indent = f.source.text(f.source.lineStart(f.source.line(start)), start);
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece.Moved(start, end));
    pieces.add(new Piece.Text(f.source.newline() + (indent.isBlank() ? indent : "")));
    int name = t.end(l.name());
    int gridStart = oneBlock && l.grid().last() >= 0 ? t.start(l.grid().first()) : -1;
    int gridEnd = gridStart < 0 ? -1 : t.end(l.grid().last());
    int at = start;
    pieces.add(new Piece.Moved(at, name));
    pieces.add(new Piece.Text(SUFFIX));
    at = name;
    if (gridStart > at) {
      pieces.add(new Piece.Moved(at, gridStart));
      pieces.add(new Piece.Text("dim3(1)"));
      at = gridEnd;
    }
    pieces.add(new Piece.Moved(at, end));
    f.changes.alsoEdit(new Edit(start, end, pieces, Edit.Side.BEFORE, RULE));
  }
}
