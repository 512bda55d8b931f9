package dev.rocport.lang.cuda.warp;

import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.warp.WarpScan;
import dev.rocport.warp.schedule.Schedule;
import dev.rocport.warp.schedule.ScheduleAnalysis;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Runs the schedule analysis on files that mention locks, barriers, or warp functions. */
public final class SchedulePass {
  private static final List<String> DEVICE = List.of("__global__", "__device__");

  private SchedulePass() {}

  public static void run(CudaFile f) {
    Optional<Schedule> known = f.scanned().flatMap(WarpScan::schedule);
    if (known.isPresent()) {
      known.get().apply(f.changes, f.shims);
    } else if (isWanted(f.t, f.changes::allows)) {
      SyntaxTree tree = f.tree();
      if (tree != null) {
        ScheduleAnalysis.of(tree, f.source, f.changes::allows).apply(f.changes, f.shims);
      }
    }
  }

  /** The same, for later use: the syntax tree of the file is available now. */
  static Optional<Schedule> of(SyntaxTree tree, Tokens t, Predicate<String> allowed) {
    return isWanted(t, allowed)
        ? Optional.of(ScheduleAnalysis.of(tree, t.file(), allowed))
        : Optional.empty();
  }

  private static boolean isWanted(Tokens t, Predicate<String> allowed) {
    return ScheduleAnalysis.rules().stream().anyMatch(allowed)
        && hints(t)
        && (t.mentions(DEVICE) || ScheduleAnalysis.mayHoldDeviceCode(t.file()));
  }

  private static boolean hints(Tokens t) {
    if (t.mentions(ScheduleAnalysis.words())) {
      return true;
    }
    for (int i = 0; i < t.count(); i++) {
      if (t.isIdentifier(i) ? hints(t, i) : isLadder(t, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hints(Tokens t, int i) {
    int length = t.end(i) - t.start(i);
    if (length == 5 && t.is(i, "while")) {
      return waits(t, i);
    }
    if (length == 4 && t.is(i, "sync")) {
      return inBranch(t, i);
    }
    if (length == 8 && t.is(i, "exchange")) {
      return t.is(i - 1, '.') || t.isPair(i - 1, '-');
    }
    return length == 13 && t.is(i, "__syncthreads") && inBranch(t, i);
  }

  /** A loop whose condition reads memory atomically, or asks a function. */
  private static boolean waits(Tokens t, int i) {
    for (int k = i + 2; t.is(i + 1, '(') && k < t.match(i + 1); k++) {
      if (Functions.isCall(t, k)) {
        return true;
      }
    }
    return false;
  }

  /** {@code s[tid + 16]}: a step of a ladder. */
  private static boolean isLadder(Tokens t, int i) {
    return t.is(i, '+') && t.is(i + 2, ']') && (t.is(i + 1, "16") || t.is(i + 1, "32"));
  }

  /** True for what is under an {@code if} or an {@code else}, or in a switch. */
  private static boolean inBranch(Tokens t, int i) {
    if (startsWithBranch(t, statement(t, i))) {
      return true;
    }
    for (int k = i - 1; k >= 0; k--) {
      int partner = t.match(k);
      if (t.is(k, '{')) {
        if (isBranch(t, k - 1) || startsWithBranch(t, statement(t, k))) {
          return true;
        }
        boolean goesOn =
            t.is(k - 1, "do")
                || t.is(k - 1, ';')
                || t.is(k - 1, '{')
                || t.is(k - 1, '}')
                || (t.is(k - 1, ')') && isLoop(t, t.match(k - 1) - 1));
        if (!goesOn) {
          return false; // the function
        }
      } else if (partner >= 0 && partner < k) {
        k = partner;
      }
    }
    return false;
  }

  /** First token of the statement that holds a token. */
  private static int statement(Tokens t, int i) {
    int k = i;
    while (k > 0 && !t.is(k - 1, ';') && !t.is(k - 1, '{') && !t.is(k - 1, '}')) {
      k = t.before(k - 1) + 1;
    }
    return k;
  }

  private static boolean startsWithBranch(Tokens t, int first) {
    return t.is(first, "if") || t.is(first, "else") || t.is(first, "switch");
  }

  private static boolean isBranch(Tokens t, int before) {
    return t.is(before, "else")
        || (t.is(before, ')')
            && (t.is(t.match(before) - 1, "if") || t.is(t.match(before) - 1, "switch")));
  }

  private static boolean isLoop(Tokens t, int i) {
    return t.is(i, "for") || t.is(i, "while");
  }
}
