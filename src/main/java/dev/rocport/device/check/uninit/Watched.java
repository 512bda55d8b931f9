package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.Op;

/** An operation with what it does to undefined bits. */
abstract class Watched extends Op {
  /** What it does to values. */
  final Op plain;

  Watched(Op plain) {
    super(plain.instruction());
    this.plain = plain;
  }
}
