package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * VOPD. Both halves read before either writes: one half goes first whose result the other does not
 * read; where each reads the other's, the first result waits aside.
 */
final class DualOp extends Op {
  private final Op first;
  private final Op second;

  /** Lane 0 of the first result where that has to wait, or -1. */
  private final int waiting;

  private DualOp(Instruction instruction, Op first, Op second, int waiting) {
    super(instruction);
    this.first = first;
    this.second = second;
    this.waiting = waiting;
  }

  static Optional<Op> of(Instruction instruction) {
    if (!(instruction.modifiers() instanceof Modifiers.Dual(Instruction x, Instruction y))) {
      return Optional.empty();
    }
    Op one = new Assembly(x).op().orElse(null);
    Op other = new Assembly(y).op().orElse(null);
    if (one == null || other == null) {
      return Optional.empty();
    }
    int toX = destination(x);
    int toY = destination(y);
    if (!reads(y, toX)) {
      return Optional.of(new DualOp(instruction, one, other, -1));
    }
    return reads(x, toY)
        ? Optional.of(new DualOp(instruction, one, other, toX * Wave.LANES))
        : Optional.of(new DualOp(instruction, other, one, -1));
  }

  private static int destination(Instruction half) {
    return ((Operand.Vector) half.operand("vdst")).register();
  }

  private static boolean reads(Instruction half, int register) {
    return half.operands().stream()
        .skip(1)
        .anyMatch(o -> o instanceof Operand.Vector(int r, int _) && r == register);
  }

  @Override
  public @Nullable List<Action> actions() {
    List<Action> one = first.actions();
    List<Action> other = second.actions();
    if (waiting >= 0 || one == null || other == null) {
      return null;
    }
    List<Action> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  @Override
  public void execute(Wave wave) {
    if (waiting < 0) {
      first.execute(wave);
      second.execute(wave);
      return;
    }
    int[] before = Arrays.copyOfRange(wave.v, waiting, waiting + Wave.LANES);
    first.execute(wave);
    int[] result = Arrays.copyOfRange(wave.v, waiting, waiting + Wave.LANES);
    System.arraycopy(before, 0, wave.v, waiting, Wave.LANES);
    second.execute(wave);
    System.arraycopy(result, 0, wave.v, waiting, Wave.LANES);
  }
}
