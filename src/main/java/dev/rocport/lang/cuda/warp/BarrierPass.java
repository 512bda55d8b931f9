package dev.rocport.lang.cuda.warp;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.asm.AsmStatement;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Replaces barriers after which some threads release stores of their whole block by those of {@code
 * rocport/syncthreads.h}. A CUDA release is cumulative: it also publishes stores that the barrier
 * made visible to the thread. On AMD GPUs, a release waits only for the stores of its own wave, and
 * the HIP barrier waits for none.
 */
public final class BarrierPass {
  static final String RULE = "SYNC-RELEASE";

  /** PTX that releases to more than a block. */
  private static final Pattern RELEASE =
      Pattern.compile(
          "(?:(?:st|red|atom)\\.(?=[\\w.:]*\\b(?:release|acq_rel)\\b)(?=[\\w.:]*\\b(?:gpu|sys)\\b)"
              + "|fence\\.(?:acq_rel|sc|release)\\.(?:gpu|sys)|membar\\.(?:gl|sys)).*",
          Pattern.DOTALL);

  private static final String SHIM = "syncthreads.h";
  private static final Set<String> FENCES = Set.of("__threadfence", "__threadfence_system");

  /** Barriers that the header has. */
  private static final Set<String> BARRIERS =
      Set.of("__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or");

  /** Members of an atomic object that may release. */
  private static final Set<String> STORING =
      Set.of(
          "store",
          "exchange",
          "compare_exchange_weak",
          "compare_exchange_strong",
          "fetch_add",
          "fetch_sub",
          "fetch_and",
          "fetch_or",
          "fetch_xor",
          "fetch_min",
          "fetch_max");

  private static final Set<String> ATOMICS = Set.of("atomic", "atomic_ref");

  /** Parts of an order or a scope that releases nothing to other blocks. */
  private static final Set<String> WEAK =
      Set.of(
          "memory_order_relaxed",
          "relaxed",
          "memory_order_acquire",
          "acquire",
          "memory_order_consume",
          "thread_scope_block",
          "thread_scope_thread");

  private static final Pattern STORE = Pattern.compile("\\b(?:st|red|atom)\\.(?![\\w.:]*shared)");

  private final CudaFile f;
  private final Tokens t;
  private final boolean hasAtomics;
  private final Set<String> near = new HashSet<>();
  private final Set<String> ofThread = new HashSet<>();

  /** Functions of the file that release. */
  private final Set<String> releasing = new HashSet<>();

  private BarrierPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.hasAtomics = hasAtomics(f.t);
  }

  /** Whether the file names atomic objects of libcu++, of which a scope wider than a block. */
  private static boolean hasAtomics(Tokens t) {
    for (int i = 2; i < t.count(); i++) {
      if (t.isIdentifier(i)
          && ATOMICS.contains(t.text(i))
          && t.isPair(i - 1, ':')
          && t.is(i - 2, "cuda")) {
        return true;
      }
    }
    return false;
  }

  public static void run(CudaFile f) {
    if (f.changes.allows(RULE) && f.t.mentions(BARRIERS)) {
      new BarrierPass(f).functions();
    }
  }

  private void functions() {
    boolean barriers = false;
    for (int i = 0; i < t.count() && !barriers; i++) {
      barriers = isBarrier(i);
    }
    if (!barriers) {
      return;
    }
    List<Function> all = Functions.of(t);
    for (Function function : all) {
      for (int i = function.body() + 1; i < function.close(); i++) {
        if (releases(i)) {
          releasing.add(t.text(function.name()));
        }
      }
    }
    shared();
    for (Function function : all) {
      if (EnclosingFunction.of(t, function.body() + 1) != null
          && !f.regions.isDead(function.name())) {
        declarations(function);
        function(function);
      }
    }
  }

  private boolean isBarrier(int i) {
    return t.isIdentifier(i) && BARRIERS.contains(t.text(i)) && Functions.isCall(t, i);
  }

  /** Shared memory, which no other block sees. */
  private void shared() {
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "__shared__")) {
        for (int k = i + 1; k < t.count() && !t.is(k, ';'); k++) {
          if (t.isIdentifier(k)) {
            near.add(t.text(k));
          }
        }
      }
    }
  }

  /** Local arrays, and variables that differ between threads. */
  private void declarations(Function function) {
    for (int i = function.body(); i < function.close(); i++) {
      if (t.isIdentifier(i)
          && t.is(i + 1, '[')
          && t.isIdentifier(i - 1)
          && !t.is(i - 1, "return")) {
        near.add(t.text(i));
      }
      if (t.isIdentifier(i) && t.is(i + 1, '=') && !t.is(i + 2, '=')) {
        for (int k = i + 2; k < function.close() && !t.is(k, ';') && !t.is(k, ','); k++) {
          if (t.is(k, "threadIdx")) {
            ofThread.add(t.text(i));
          }
        }
      }
    }
  }

  private void function(Function function) {
    int some = -1; // the end of what only some threads run
    int barrier = -1; // after stores that nothing has waited for
    boolean stored = !Functions.isKernel(t, function); // by who calls it
    for (int i = function.body() + 1; i < function.close(); i++) {
      if (t.is(i, "if") && (t.is(i + 1, '(') || t.is(i + 2, '('))) {
        int open = t.is(i + 1, '(') ? i + 1 : i + 2;
        if (tellsThreads(open)) {
          some = Math.max(some, Statements.end(t, t.match(open) + 1, function.close()));
        }
      } else if (isBarrier(i)) {
        barrier = stored ? i : barrier;
      } else if (releases(i)) {
        if (i > some) {
          stored = false;
          barrier = -1;
        } else if (barrier >= 0) {
          replace(barrier);
          barrier = -1;
        }
      } else if (i > some || barrier < 0) {
        stored |= isStore(i);
      }
    }
  }

  private boolean releases(int i) {
    if (!t.isIdentifier(i)) {
      return false;
    }
    AsmStatement asm = AsmStatement.at(t, i);
    return asm != null
        ? RELEASE.matcher(asm.text().strip()).matches()
        : Functions.isCall(t, i)
            && (FENCES.contains(t.text(i))
                || releasing.contains(t.text(i))
                || (hasAtomics && releasesAtomically(i)));
  }

  /** An operation of an atomic object or a fence, without an order that rules a release out. */
  private boolean releasesAtomically(int i) {
    boolean member = t.is(i - 1, '.') || t.isPair(i - 1, '-');
    if (!t.is(i, "atomic_thread_fence") && !(member && STORING.contains(t.text(i)))) {
      return false;
    }
    for (int k = i + 1; k < t.match(i + 1); k++) {
      if (t.isIdentifier(k) && WEAK.contains(t.text(k))) {
        return false;
      }
    }
    return true;
  }

  private boolean tellsThreads(int open) {
    for (int k = open; k < t.match(open); k++) {
      if (t.is(k, "threadIdx") || (t.isIdentifier(k) && ofThread.contains(t.text(k)))) {
        return true;
      }
    }
    return false;
  }

  /** {@code name[...] =} or {@code *name =}, where the name is not known to be the block's own. */
  private boolean isStore(int i) {
    AsmStatement asm = t.isIdentifier(i) ? AsmStatement.at(t, i) : null;
    if (asm != null) {
      return STORE.matcher(asm.text()).find();
    }
    if (!t.is(i, '=') || t.is(i + 1, '=') || t.is(i - 1, '=') || t.is(i - 1, '!')) {
      return false;
    }
    int k = t.is(i - 1, ']') ? i - 1 : i - 2; // of += and its like
    if (t.is(k, ']')) {
      while (t.is(k, ']') && t.match(k) > 0) {
        k = t.match(k) - 1;
      }
      return t.isIdentifier(k) && !near.contains(t.text(k));
    }
    return t.isIdentifier(i - 1)
        && t.is(i - 2, '*')
        && (t.is(i - 3, ';') || t.is(i - 3, '{') || t.is(i - 3, '}') || t.is(i - 3, ')'))
        && !near.contains(t.text(i - 1));
  }

  /** {@code __syncthreads_or} becomes {@code rocport::syncthreads_or}. */
  private void replace(int barrier) {
    f.shims.add(SHIM);
    String name = "rocport::" + t.text(barrier).substring("__".length());
    f.changes.edit(Edit.replace(t.start(barrier), t.end(barrier), name, RULE));
  }
}
