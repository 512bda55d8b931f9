package dev.rocport.lang.python;

import dev.rocport.lang.python.CustomOperators.Operator;
import dev.rocport.lang.python.CustomOperators.Seat;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.Stmt;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lets the results of operators of a file be allocated in symmetric memory on ROCm, if compiled
 * functions pass them to collectives: by an out variant, or with a memory pool.
 */
final class SymmetricResults {
  /** The function of the module {@code _rocm} that adds an out variant to an operator. */
  static final String OUT_VARIANT = "symm_mem_out_variant";

  /** Functions whose result the out variant replaces. */
  static final Set<String> ALLOCATORS =
      Set.of("torch.empty", "torch.empty_like", "torch.empty_strided");

  static final String OUT = "PY-SYMM-MEM-OUT";
  static final String POOL = "PY-SYMM-MEM-POOL";
  private static final String GIVEN = "symm_mem_result";
  private static final String IN_POOL = "symm_mem_pool";
  private static final String CUSTOM_OP = "symm_mem_custom_op";

  private final PythonWork w;
  private final SymmetricUses uses;

  SymmetricResults(PythonWork w, SymmetricUses uses) {
    this.w = w;
    this.uses = uses;
  }

  /** Writes what the operators of the file need; returns those for which it cannot. */
  Set<String> run() {
    Set<String> refused = new TreeSet<>();
    for (Operator o : uses.operators(w.tree()).all()) {
      boolean done =
          switch (uses.remedy(o.full())) {
            case OUT -> out(o);
            case POOL -> pool(o);
            case NONE -> true;
          };
      if (!done) {
        refused.add(o.full());
      }
    }
    return refused;
  }

  private boolean out(Operator o) {
    Stmt last = o.seats().getLast().at();
    At at = w.tree().at(last);
    if (!w.allows(OUT) || o.flags().contains(CustomOperators.OUT) || w.tree().isDecided(at)) {
      return true;
    }
    String name = "\"" + o.space() + "::" + o.name() + "\"";
    String why =
        w.gates().behind(at, "", OUT_VARIANT, List.of(OUT_VARIANT + "(" + name + ")"), OUT);
    if (!why.isEmpty()) {
      w.review(last, OUT, o.full() + " gets no out variant: " + why);
      return false;
    }
    Expr.Call allocation = uses.allocation(o);
    if (allocation != null && SignalCalls.isPlain(allocation)) {
      String text = GIVEN + "(" + name + ", lambda: " + w.tree().text(allocation) + ")";
      w.gate(allocation, text, "", GIVEN, OUT, "the allocation of the result of " + o.full());
    }
    return true;
  }

  private boolean pool(Operator o) {
    boolean all = true;
    for (Seat seat : o.seats()) {
      Expr code = seat.code();
      if (code == null) {
        all = false;
        w.review(
            seat.at(),
            POOL,
            o.full() + " does not allocate in symmetric memory: its implementation is a decorator");
      } else {
        String text =
            w.qualified(code, w.tree().at(code)).equals("torch.library.custom_op")
                ? CUSTOM_OP
                : IN_POOL + "(" + w.tree().text(code) + ")";
        String helper = text.equals(CUSTOM_OP) ? CUSTOM_OP : IN_POOL;
        w.gate(code, text, "", helper, POOL, "the implementation of " + o.full());
      }
    }
    return all;
  }
}
