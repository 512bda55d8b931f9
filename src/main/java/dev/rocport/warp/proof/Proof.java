package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Variable;
import java.util.Map;
import java.util.Set;

/** Interprets one kernel, or one function that no kernel calls. */
public final class Proof {
  private Proof() {}

  /**
   * What the kernel shows. It depends on the kernel, the block sizes, and the answers for the names
   * that it {@linkplain Evidence#asked asks for}.
   *
   * @param blockSizes the threads of a block, of all launches that are known
   */
  public static Evidence of(Function kernel, FunctionTable functions, Set<Long> blockSizes) {
    Lookups lookups = new Lookups(functions);
    Run run = new Run(lookups, blockSizes);
    Frame f = new Frame(kernel, java.util.List.of(), null);
    for (Variable t : kernel.templates()) {
      if (!t.type().isEmpty()) {
        f.declare(t, Frame.Type.INTEGER);
        f.set(t.name(), Value.Plain.UNIFORM);
      }
    }
    for (Variable p : kernel.parameters()) {
      f.declare(p, Frame.Type.of(p.type(), Map.of()));
      f.set(p.name(), new Value.Plain(kernel.kernel()));
    }
    new Statements(run, new Expressions(run)).run(f);
    return run.trace.evidence(lookups.names());
  }
}
