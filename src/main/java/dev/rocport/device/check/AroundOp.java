package dev.rocport.device.check;

import dev.rocport.device.wave.Op;

/** An operation that a check runs with something before or after it. */
public abstract class AroundOp extends Op {
  /** The operation without the check. */
  protected final Op plain;

  protected AroundOp(Op plain) {
    super(plain.instruction());
    this.plain = plain;
  }
}
