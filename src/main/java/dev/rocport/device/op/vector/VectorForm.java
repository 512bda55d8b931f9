package dev.rocport.device.op.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/** How an opcode is computed on vectors of the CPU. */
sealed interface VectorForm {

  /** Result and sources of 32 bits. */
  non-sealed interface Int extends VectorForm {
    IntVector apply(IntVector a, IntVector b, IntVector c);
  }

  /** The same on floats. */
  interface Real {
    FloatVector apply(FloatVector a, FloatVector b, FloatVector c);
  }

  /** Sources of 32 (zero extended) or 64 bits, a result of 32 or 64. */
  non-sealed interface Pair extends VectorForm {
    LongVector apply(LongVector a, LongVector b, LongVector c);
  }

  /** The same on doubles. */
  interface Wide {
    DoubleVector apply(DoubleVector a, DoubleVector b, DoubleVector c);
  }

  /** A comparison of 32 bits. */
  non-sealed interface IntTest extends VectorForm {
    VectorMask<Integer> test(IntVector a, IntVector b);
  }

  /** A comparison of 64 bits. */
  non-sealed interface PairTest extends VectorForm {
    VectorMask<Long> test(LongVector a, LongVector b);
  }

  /** A choice by the mask that the opcode takes. */
  non-sealed interface Choice extends VectorForm {
    IntVector apply(IntVector a, IntVector b, VectorMask<Integer> mask);
  }

  /** The second function of {@link Carry}. */
  interface CarryOut {
    VectorMask<Integer> test(IntVector a, IntVector b, IntVector carryIn);
  }

  /** The second function of {@link PairCarry}, of the sum and the third source. */
  interface PairCarryOut {
    VectorMask<Long> test(LongVector sum, LongVector c);
  }

  /** A sum of a product and the third source, with carry out. */
  record PairCarry(Pair sum, PairCarryOut carry) implements VectorForm {}

  /** A sum with carry: the carry comes as 0 or 1 in the third source. */
  record Carry(Int sum, CarryOut carry) implements VectorForm {}

  static Int ints(Int form) {
    return form;
  }

  static Int floats(Real form) {
    return (a, b, c) ->
        form.apply(a.reinterpretAsFloats(), b.reinterpretAsFloats(), c.reinterpretAsFloats())
            .reinterpretAsInts();
  }

  static Pair longs(Pair form) {
    return form;
  }

  static Pair doubles(Wide form) {
    return (a, b, c) ->
        form.apply(a.reinterpretAsDoubles(), b.reinterpretAsDoubles(), c.reinterpretAsDoubles())
            .reinterpretAsLongs();
  }
}
