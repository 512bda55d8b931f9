package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.ArrayList;
import java.util.List;

/** A wave to try single instructions on. */
final class Machine {
  final Wave wave;

  Machine() {
    this(64);
  }

  /**
   * @param registers how many vector registers its wave has
   */
  Machine(int registers) {
    Code code =
        new Code(
            0,
            4,
            a -> {
              throw new WaveTrap("no code");
            },
            i -> java.util.Optional.empty());
    wave = new Wave(code, null, 0, registers, 64, 0, 0, new Temporaries());
    wave.mode = 0x3f0;
    wave.s64(Wave.EXEC, -1);
  }

  static Operand v(int register) {
    return new Operand.Vector(register, 1);
  }

  static Operand s(int code) {
    return new Operand.Scalar(code, 1);
  }

  static Operand pair(int code) {
    return new Operand.Scalar(code, 2);
  }

  /** An instruction with destinations, then sources; the type of a slot has no effect here. */
  static Instruction instruction(
      String name, Encoding encoding, Modifiers modifiers, int destinations, Operand... operands) {
    List<Opcode.Slot> slots = new ArrayList<>();
    for (int i = 0; i < operands.length; i++) {
      boolean destination = i < destinations;
      slots.add(
          new Opcode.Slot(
              destination
                  ? operands[i] instanceof Operand.Scalar ? "sdst" : "vdst"
                  : "src" + (i - destinations),
              destination,
              DataType.B32));
    }
    return new Instruction(new Opcode(name, encoding, 0, slots), 8, List.of(operands), modifiers);
  }

  static Op op(String name, Modifiers modifiers, int destinations, Operand... operands) {
    return new VectorTranslator()
        .translate(instruction(name, Encoding.VOP3, modifiers, destinations, operands))
        .orElseThrow(() -> new AssertionError("no " + name));
  }

  static Op op(String name, Operand... operands) {
    return op(name, new Modifiers.None(), 1, operands);
  }
}
