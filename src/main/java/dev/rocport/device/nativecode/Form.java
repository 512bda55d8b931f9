package dev.rocport.device.nativecode;

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

  /** Nothing, to a machine whose accesses complete at once. */
  record Nothing() implements Form {}
}
