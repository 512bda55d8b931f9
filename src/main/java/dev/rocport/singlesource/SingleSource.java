package dev.rocport.singlesource;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPort;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.IncludeGuard;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import dev.rocport.rules.Changes;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Ports in the single-source style. Thread-safe, like the porter of the rules. */
public final class SingleSource {
  private static final String INCLUDE = "INCLUDE-RUNTIME";

  private final CudaPorter porter;

  public SingleSource(CudaPorter porter) {
    this.porter = porter;
  }

  /**
   * A ported file.
   *
   * @param output its content; the array of the original if nothing changed
   * @param edits number of changes by rule, empty if nothing changed
   * @param changes the changes of the rules
   * @param isHidden whether findings of the guards in a line belong to an earlier port
   * @param shims rocport headers that must be copied into the tree
   * @param gates gates that were added
   * @param gatedLines number of lines of the original in the gates
   * @param failure why the proof failed; empty if it succeeded
   */
  public record Ported(
      byte[] output,
      SortedMap<String, Integer> edits,
      Changes changes,
      IntPredicate isHidden,
      SortedSet<String> shims,
      int gates,
      int gatedLines,
      String failure) {
    /** Returns false for findings that an earlier port already handled. */
    public boolean tells(Finding f) {
      return !f.rule().startsWith("GUARD-") || !isHidden.test(f.line());
    }
  }

  /** Scans a file, ignoring gates of earlier ports. */
  public ProjectIndex.Scan scan(SourceFile file) {
    ProjectIndex.Scan scan = porter.scan(Gates.amdView(file));
    byte[] original = Gates.strip(file);
    SourceFile plain = original == file.bytes() ? file : new SourceFile(file.path(), original);
    return scan.using(porter.uses(plain));
  }

  /** Returns the compatibility header for a project. */
  public String compatHeader(ProjectIndex project) {
    List<String> names = project.used().stream().filter(n -> !project.hasOwn(n)).toList();
    return CompatHeader.text(names, porter::api, porter::target);
  }

  /** Ports one file and proves that removing the gates gives the original. */
  public Ported port(SourceFile file, ProjectIndex project) {
    return port(file, project, rule -> true);
  }

  /** The same with the edits of some rules. */
  public Ported port(SourceFile file, ProjectIndex project, Predicate<String> rules) {
    CudaPort port = porter.portForGates(Gates.amdView(file), project);
    List<Edit> edits = FoldedGates.fold(afterMark(port, Gate.start(file), rules), file);
    GatePlan plan = new GatePlan(file, port);
    plan.plan(edits, e -> !isCovered(e, port, project, plan));
    SortedSet<String> shims = new TreeSet<>(port.changes().shims());
    Edit first = firstLeft(edits, port, project, plan);
    if (first != null) {
      shims.add(CompatHeader.NAME);
      String path = compatPath(file.path());
      if (!includes(port.tokens(), path)) {
        include(edits, first, path, port, plan);
      }
    }
    plan.finish();
    PreprocessorGateWriter writer = new PreprocessorGateWriter(file, plan, edits);
    byte[] output = writer.write();
    boolean same = Arrays.equals(output, file.bytes());
    return new Ported(
        same ? file.bytes() : output,
        same ? new TreeMap<>() : port.changes().counts(),
        port.changes(),
        plan::isGuarded,
        shims,
        writer.gates(),
        writer.gatedLines(),
        same ? "" : Proof.failure(file, new SourceFile(file.path(), output)));
  }

  /** Moves edits after a byte order mark. */
  private static List<Edit> afterMark(CudaPort port, int start, Predicate<String> rules) {
    return port.changes().edits().only(rules).sorted().stream()
        .map(
            e ->
                e.start() < start
                    ? new Edit(start, Math.max(start, e.end()), e.pieces(), e.side(), e.rule())
                    : e)
        .toList();
  }

  /** Returns true if the compatibility header has the effect of the edit. */
  private boolean isCovered(Edit e, CudaPort port, ProjectIndex project, GatePlan plan) {
    Tokens t = port.tokens();
    int i = t.at(e.start());
    if (e.pieces().size() != 1
        || !(e.pieces().getFirst() instanceof Piece.Text(String text))
        || t.start(i) != e.start()
        || t.end(i) != e.end()
        || !t.isIdentifier(i)) {
      return false;
    }
    ApiName name = porter.api(t.text(i));
    if (name == null
        || !name.family().equals(e.rule())
        || project.hasOwn(name.cuda()) // the compatibility header has no macro for it
        || !porter.target(name).equals(text)
        || !CompatHeader.maps(name, text)) {
      return false;
    }
    // In a condition, a macro of the header would make a CUDA function name defined.
    return name.kind() == Kind.MACRO || plan.lines().conditional(t.file().line(e.start())) == null;
  }

  /** Returns the first edit that the compatibility header replaces, or null. */
  private @Nullable Edit firstLeft(
      List<Edit> edits, CudaPort port, ProjectIndex project, GatePlan plan) {
    for (Edit e : edits) {
      if (!plan.holds(e)
          && !plan.isGated(port.tokens().file().line(e.start()))
          && isCovered(e, port, project, plan)) {
        return e;
      }
    }
    return null;
  }

  private static boolean includes(Tokens t, String path) {
    String quoted = '"' + path + '"';
    return t.directives().stream().anyMatch(d -> d.isInclude() && t.is(d.body(), quoted));
  }

  static String compatPath(String file) {
    int depth = (int) file.chars().filter(c -> c == '/').count();
    return "../".repeat(depth) + "rocport/" + CompatHeader.NAME;
  }

  /** Includes the compatibility header at the CUDA includes, or at the top. */
  private void include(List<Edit> edits, Edit first, String path, CudaPort port, GatePlan plan) {
    SourceFile file = port.tokens().file();
    int at = -1;
    for (Edit e : edits) {
      if (e.start() >= first.start()) {
        break;
      }
      boolean include = e.rule().startsWith("INCLUDE-") && isTop(port.tokens(), e.start());
      int line = file.line(Math.max(e.start(), e.end() - 1));
      if (include && plan.isWholeLines(e)) {
        at = e.start();
        break;
      }
      if (include && line < file.lines() && plan.lines().isFree(line + 1)) {
        at = file.lineStart(line + 1);
        break;
      }
    }
    if (at < 0) {
      at = plan.start(topLine(port.tokens()));
    }
    Edit edit = Edit.before(at, "#include \"" + path + '"' + file.newline(), INCLUDE);
    int place = 0;
    while (place < edits.size()
        && (edits.get(place).start() < at
            || (edits.get(place).start() == at && plan.isWholeLines(edits.get(place))))) {
      place++;
    }
    edits.add(place, edit);
    plan.add(edit);
  }

  private static boolean isTop(Tokens t, int offset) {
    int guard = IncludeGuard.find(t) >= 0 ? 1 : 0;
    return dev.rocport.lang.cuda.condition.Regions.of(t).depth(t.at(offset)) <= guard;
  }

  /**
   * Returns the line after the include guard or {@code #pragma once}; otherwise the first line with
   * a token.
   */
  private static int topLine(Tokens t) {
    SourceFile file = t.file();
    int guard = IncludeGuard.find(t);
    Directive guardLine = guard >= 0 ? t.directives().get(guard) : null;
    for (Directive d : t.directives()) {
      if (guardLine == null && d.name().equals("pragma") && t.is(d.body(), "once")) {
        guardLine = d;
      }
    }
    if (guardLine == null) {
      return t.count() > 0 ? file.line(t.start(0)) : 1;
    }
    return Math.min(file.lines(), file.line(Math.max(guardLine.start(), guardLine.end() - 1)) + 1);
  }
}
