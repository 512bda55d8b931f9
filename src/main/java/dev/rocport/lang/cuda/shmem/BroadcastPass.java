package dev.rocport.lang.cuda.shmem;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.PortedText;
import dev.rocport.lang.cuda.symbols.Functions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Adds a barrier of the team before broadcasts: an NVSHMEM broadcast waits until every PE of the
 * team has arrived; a rocSHMEM broadcast writes to PEs whose target may still be in use.
 */
public final class BroadcastPass {
  static final String RULE = "SHMEM-BROADCAST";

  /**
   * Typed and untyped forms; the team is the first argument of all, the stream the last of one.
   * Those of one thread are functions of {@code rocport/shmem.h}, which begin with a barrier.
   */
  private static final Pattern NAMES =
      Pattern.compile("nvshmemx_(?:\\w+_)?broadcast(?:mem)?_(block|warp|on_stream)");

  private BroadcastPass() {}

  public static void run(CudaFile f) {
    if (!f.changes.allows(RULE)) {
      return;
    }
    for (int i = 0; i < f.t.count(); i++) {
      if (!ShmemNames.isOne(f.t, i) || !Functions.isCall(f.t, i)) {
        continue;
      }
      Matcher name = NAMES.matcher(f.t.text(i));
      if (name.matches() && !f.isQualified(i) && !f.isOwn(f.t.text(i), i)) {
        broadcast(f, i, name.group(1));
      }
    }
  }

  private static void broadcast(CudaFile f, int i, String form) {
    Tokens t = f.t;
    int close = t.match(i + 1);
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    if (close < 0 || arguments.size() < 5) {
      return;
    }
    String barrier = barrier(f, arguments, form);
    if (barrier == null) {
      f.changes.finding(
          RULE,
          Severity.ERROR,
          Disposition.UNPORTED,
          t.start(i),
          t.end(close),
          "the broadcast needs a barrier of its team before it, but its arguments are too complex"
              + " to repeat",
          "Assign the team and the stream to variables.");
      return;
    }
    int first = Statements.start(t, i);
    boolean alone = first == i && t.is(close + 1, ';') && !t.inDirective(i);
    if (alone) {
      int start = t.start(i);
      String indent = f.source.text(f.source.lineStart(f.source.line(start)), start);
      String gap = indent.isBlank() ? f.source.newline() + indent : " ";
      f.changes.edit(Edit.before(start, barrier + ";" + gap, RULE));
    } else {
      f.changes.edit(Edit.before(t.start(i), "(" + barrier + ", ", RULE));
      f.changes.alsoEdit(Edit.after(t.end(close), ")", RULE));
    }
    f.changes.finding(
        RULE,
        Disposition.PORTED,
        t.start(i),
        t.end(close),
        "the port adds a barrier of the team before the broadcast");
  }

  private static @Nullable String barrier(CudaFile f, List<Arguments.Span> arguments, String form) {
    String team = PortedText.of(f, arguments.getFirst());
    String stream = form.equals("on_stream") ? PortedText.of(f, arguments.getLast()) : "";
    if (team == null || stream == null) {
      return null;
    }
    String ctx = "(rocshmem::ROCSHMEM_CTX_DEFAULT, " + team + ")";
    return switch (form) {
      case "block" -> "rocshmem::rocshmem_ctx_barrier_wg" + ctx;
      case "warp" -> "rocshmem::rocshmem_ctx_barrier_wave" + ctx;
      default -> "rocshmem::rocshmem_barrier_on_stream(" + team + ", " + stream + ")";
    };
  }
}
