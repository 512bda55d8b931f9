package dev.rocport.device.isa;

/** An operand that an instruction reads or writes. Codes are those of the 9-bit source field. */
public sealed interface Operand {
  /** The code of null: reads as 0, and what is written is lost. No field has it. */
  int NULL = 128;

  /**
   * Scalar registers: {@code code} 0 to 101 are s0 to s101; 102 flat_scratch, 104 xnack_mask, 106
   * vcc, 108 to 123 ttmp, 124 m0, 126 exec (each as the code of its low half). RDNA has s102 to
   * s105, and null, {@link #NULL}.
   *
   * @param dwords how many registers of 32 bits, from {@code code} up
   */
  record Scalar(int code, int dwords) implements Operand {}

  /** Vector registers v{@code register} and up. */
  record Vector(int register, int dwords) implements Operand {}

  /** Accumulation registers a{@code register} and up. */
  record Accumulator(int register, int dwords) implements Operand {}

  /**
   * A value that hardware supplies: 235 shared_base, 236 shared_limit, 237 private_base, 238
   * private_limit, 239 pops_exiting_wave_id, 251 vccz, 252 execz, 253 scc.
   */
  record Special(int code) implements Operand {}

  /**
   * An inline constant: 128 to 208 are the integers 0 to 64 and -1 to -16; 240 to 248 are ±0.5, ±1,
   * ±2, ±4 and 1/(2π). Its bits depend on the type it is read as: see {@link DataType#constant}.
   */
  record Inline(int code) implements Operand {}

  /** A 32-bit literal that follows the instruction. */
  record Literal(int bits) implements Operand {}

  /** An immediate number: a branch offset, simm16, a hardware register with its bits. */
  record Immediate(int value) implements Operand {}

  /** No register where one could be: {@code off}. */
  record Off() implements Operand {}
}
