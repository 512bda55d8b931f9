package dev.rocport.lang.ptx;

import java.util.List;

/** An operand of a PTX instruction. */
public sealed interface Operand {
  /** A register that the block declares, {@code %r1} or {@code p}, which are two names. */
  record Register(String name) implements Operand {}

  /** An operand of the asm statement, {@code %0}. */
  record Outer(int index) implements Operand {}

  /** A register of the machine, {@code %tid.x}, with its percent sign. */
  record Special(String name) implements Operand {}

  /** A number as it is written: {@code 0x1F}, {@code -1}, {@code 0f3F800000}, {@code 1.5}. */
  record Immediate(String text) implements Operand {}

  /** A label, a variable or a function. */
  record Symbol(String name) implements Operand {}

  /** What the memory at an address holds, {@code [%rd1+4]}; {@code index} for further parts. */
  record Address(Operand base, long offset, List<Operand> further) implements Operand {}

  /** Several registers, {@code {%0, %1}}. */
  record Vector(List<Operand> elements) implements Operand {}

  /** Two destinations, {@code p|q}. */
  record Pair(Operand first, Operand second) implements Operand {}

  /** A predicate the other way round, {@code !p}. */
  record Not(Operand of) implements Operand {}

  /** A part of a register, {@code %1.b0}: what the word means is the instruction's. */
  record Part(Operand of, String word) implements Operand {}

  /** {@code _}: the value is not used. */
  record Sink() implements Operand {}
}
