package dev.rocport.lang.cuda.mpi;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.PortedText;
import dev.rocport.lang.cuda.symbols.Copies;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.MpiCalls;
import dev.rocport.rules.RuleCatalog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds device copies whose target is passed to MPI before anything waits for them, and wraps each
 * in a call that waits for the copy and returns its error.
 */
public final class FencePass {
  static final String RULE = "MPI-RELEASE-FENCE";
  private static final String HEADER = "release.h";

  /** What waits for a stream, or for all of them. */
  private static final Set<String> WAITS =
      Set.of("StreamSynchronize", "DeviceSynchronize", "EventSynchronize", "CtxSynchronize");

  private static final Set<String> DEFAULT_STREAM =
      Set.of("0", "NULL", "nullptr", "cudaStreamDefault", "cudaStreamLegacy");

  private final Set<String> senders = new HashSet<>();

  public FencePass(RuleCatalog catalog) {
    for (String name : catalog.require(RULE).functions()) {
      senders.add(name);
      senders.add("P" + name);
    }
  }

  /** How a copy's target gets to MPI. */
  private enum Way {
    /** A call of MPI in the same function. */
    HERE,
    /** A function that calls this one calls MPI, too. */
    CALLER,
    /** The function's caller gets it, and this or a file with a caller has MPI. */
    PERHAPS,
    /** Nothing shows that it does. */
    NONE
  }

  /** True for calls that get a buffer for MPI. */
  public boolean isSender(String name) {
    return senders.contains(name);
  }

  public void run(CudaFile f) {
    if (!f.changes.allows(RULE)) {
      return;
    }
    boolean mpi = MpiCalls.callsMpi(f.t);
    if (!mpi && !f.project.usesMpi()) {
      return;
    }
    for (Function function : Functions.of(f.t)) {
      String name = f.t.text(function.name());
      if (!mpi && !f.project.handsToMpi(name) && !f.project.isNearMpi(name)) {
        continue;
      }
      for (int i = function.body() + 1; i < function.close(); i++) {
        Copies.Copy copy = Functions.isCall(f.t, i) ? Copies.of(f.t.text(i)) : null;
        if (copy != null && !f.isOwn(f.t.text(i), i) && f.t.match(i + 1) > 0) {
          copy(f, function, i, copy);
        }
      }
    }
  }

  private void copy(CudaFile f, Function function, int i, Copies.Copy copy) {
    Tokens t = f.t;
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    if (!writesDevice(t, arguments, copy)
        || EnclosingFunction.of(t, i) != null
        || f.regions.isDead(i)) {
      return;
    }
    String target = Arguments.variable(t, arguments.getFirst());
    Way way = way(f, function, i, target, streamText(t, arguments, copy));
    if (way == Way.NONE) {
      return;
    }
    int close = t.match(i + 1);
    String stream = stream(f, arguments, copy);
    String name = t.text(i);
    boolean sure = way != Way.PERHAPS || !copy.isAsynchronous();
    if (stream == null || !sure) {
      f.changes.finding(
          RULE,
          Severity.WARNING,
          Disposition.REVIEW,
          t.start(i),
          t.end(close),
          name
              + (stream == null
                  ? " writes a buffer that is passed to MPI, but the call does not name its stream"
                  : " may write a buffer that is passed to MPI, and no code in this function waits"
                      + " for the copy"),
          "Call hipStreamSynchronize for the stream of the copy before you pass the buffer to"
              + " MPI.");
      return;
    }
    f.shims.add(HEADER);
    f.changes.edit(Edit.before(t.start(i), "rocport_release(", RULE));
    f.changes.alsoEdit(Edit.after(t.end(close), ", " + stream + ")", RULE));
    f.changes.finding(
        RULE,
        Disposition.PORTED,
        t.start(i),
        t.end(close),
        name
            + " writes a buffer that is passed to MPI"
            + told(way)
            + ": the port adds a wait for the stream");
  }

  private static String told(Way way) {
    return switch (way) {
      case HERE, NONE -> "";
      case CALLER -> " by a caller of this function";
      case PERHAPS -> ", if a caller of this function passes it on";
    };
  }

  /** True unless the arguments say that the target is, or the source was, the host's. */
  private static boolean writesDevice(Tokens t, List<Arguments.Span> arguments, Copies.Copy copy) {
    if (arguments.isEmpty()) {
      return false;
    }
    if (copy.kind() < 0) {
      return true;
    }
    if (copy.kind() >= arguments.size()) {
      return copy.kind() == arguments.size(); // C++ has a default
    }
    Arguments.Span kind = arguments.get(copy.kind());
    String text = t.text(kind.first(), kind.last());
    return !text.endsWith("HostToDevice")
        && !text.endsWith("DeviceToHost")
        && !text.endsWith("HostToHost");
  }

  /** The text of a copy's stream under HIP; null if evaluating it twice might do something. */
  private static @Nullable String stream(
      CudaFile f, List<Arguments.Span> arguments, Copies.Copy copy) {
    if (copy.stream() < 0 || copy.stream() >= arguments.size()) {
      return "0";
    }
    return PortedText.of(f, arguments.get(copy.stream()));
  }

  private Way way(CudaFile f, Function function, int i, String target, String streamText) {
    Tokens t = f.t;
    int depth = depth(t, function.body(), i);
    int end = statementBegins(t, i, "return") ? endOfStatement(t, i) : function.close();
    for (int k = t.match(i + 1) + 1; k < end; k++) {
      if (Functions.isCall(t, k)) {
        String name = t.text(k);
        if (waits(t, k, streamText)
            && depth(t, function.body(), k) <= depth
            && !isConditional(t, k)) {
          return Way.NONE;
        }
        if (isSender(name) && mentions(t, k + 1, target)) {
          return Way.HERE;
        }
      }
      if (t.is(k, "return") && depth(t, function.body(), k) <= depth && !isConditional(t, k)) {
        end = Math.min(end, endOfStatement(t, k));
      }
    }
    if (f.project.handsToMpi(t.text(function.name()))) {
      return Way.CALLER;
    }
    boolean local = isLocal(t, function, target);
    return local ? Way.NONE : Way.PERHAPS;
  }

  /** The stream of a copy as the source spells it; empty for the default one. */
  private static String streamText(Tokens t, List<Arguments.Span> arguments, Copies.Copy copy) {
    if (copy.stream() < 0 || copy.stream() >= arguments.size()) {
      return "";
    }
    Arguments.Span span = arguments.get(copy.stream());
    return t.text(span.first(), span.last());
  }

  /** True for a call that waits for this stream, or for more. */
  private static boolean waits(Tokens t, int i, String stream) {
    if (!waits(t.text(i))) {
      return false;
    }
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    if (!t.text(i).endsWith("StreamSynchronize") || arguments.isEmpty()) {
      return true;
    }
    String waited = t.text(arguments.getFirst().first(), arguments.getFirst().last());
    return stream.isEmpty()
        ? DEFAULT_STREAM.contains(waited)
        : waited.equals(stream) || waited.equals("(" + stream + ")");
  }

  private static boolean waits(String name) {
    return (name.startsWith("cuda") && WAITS.contains(name.substring(4)))
        || (name.startsWith("hip") && WAITS.contains(name.substring(3)))
        || (name.startsWith("cu") && WAITS.contains(name.substring(2)));
  }

  private static boolean mentions(Tokens t, int open, String name) {
    for (int i = open; i < t.match(open); i++) {
      if (t.is(i, name)) {
        return true;
      }
    }
    return false;
  }

  /** Number of braces that are open at a token. */
  private static int depth(Tokens t, int from, int i) {
    int depth = 0;
    for (int k = from; k < i; k++) {
      depth += t.is(k, '{') ? 1 : t.is(k, '}') ? -1 : 0;
    }
    return depth;
  }

  private static int endOfStatement(Tokens t, int i) {
    int k = i;
    while (k < t.count() && !t.is(k, ';')) {
      k++;
    }
    return k;
  }

  private static boolean statementBegins(Tokens t, int i, String word) {
    return t.is(Statements.start(t, i), word);
  }

  /** After an {@code if} or a loop without braces; its own condition does not count. */
  private static boolean isConditional(Tokens t, int i) {
    int first = Statements.start(t, i);
    boolean guarded =
        t.is(first, "if") || t.is(first, "for") || t.is(first, "while") || t.is(first, "else");
    int open = t.is(first, "else") && t.is(first + 1, "if") ? first + 2 : first + 1;
    return guarded && (t.is(first, "else") || t.match(open) < i);
  }

  /** True for a variable that the function declares itself. */
  private static boolean isLocal(Tokens t, Function function, String name) {
    for (int i = function.body(); i < function.close(); i++) {
      if (t.is(i, name)
          && (t.isIdentifier(i - 1) || t.is(i - 1, '*'))
          && !t.is(i - 1, "return")
          && (t.is(i + 1, ';') || t.is(i + 1, '=') || t.is(i + 1, ',') || t.is(i + 1, '['))) {
        return t.isIdentifier(i - 1) || t.isIdentifier(i - 2) || t.is(i - 2, '*');
      }
    }
    return false;
  }
}
