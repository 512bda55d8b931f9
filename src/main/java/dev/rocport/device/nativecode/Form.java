package dev.rocport.device.nativecode;

import dev.rocport.device.wave.WaveState;

/** What an instruction does, as IR. */
sealed interface Form {

  /** On scalar registers; it may end the {@link Run} before it. */
  non-sealed interface Scalar extends Form {
    void emit(WaveFunction f);
  }

  /** Lane by lane: a step of a {@link Run}. Scalars are read when the step is made. */
  non-sealed interface Lanes extends Form {
    void emit(WaveFunction f);
  }

  /**
   * On memory, or on lanes together: it ends the {@link Run} before it, and may stop the function.
   */
  non-sealed interface Whole extends Form {
    /**
     * Adds the instruction.
     *
     * @param stop the label of the block that stops before it
     */
    void emit(WaveFunction f, String stop);
  }

  /**
   * Moves values to or from memory in a step of a {@link Run}, after a check before that run; it
   * may stop the function.
   */
  non-sealed interface Moves extends Form {
    void emit(WaveFunction f);
  }

  /**
   * Takes the wave out of the READY state, and lets it go on after this instruction later.
   *
   * @param waits whether the wave is counted as one that waits for what others signal
   */
  record Leaves(WaveState state, boolean waits) implements Form {}

  /** Waits for accesses: what comes after it must not be done before them. */
  record Wait() implements Form {}

  /** Nothing. */
  record Nothing() implements Form {}
}
