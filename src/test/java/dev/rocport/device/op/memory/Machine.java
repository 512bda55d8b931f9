package dev.rocport.device.op.memory;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One wave with a buffer, LDS and scratch, all of them random, and a model of their bytes. */
final class Machine {
  static final int BYTES = 8192;
  static final int PER_LANE = 256;

  final MemorySegment buffer = Arena.ofAuto().allocate(BYTES + 4096, 4096);
  final MemorySegment lds = Arena.ofAuto().allocate(BYTES, 4096);
  final MemorySegment scratch = Arena.ofAuto().allocate(PER_LANE * Wave.LANES, 4096);
  final AddressSpace space = new AddressSpace();
  final Allocation allocation =
      new Allocation(buffer.address(), BYTES, Allocation.Kind.DEVICE, "hipMalloc #1");
  final Wave wave;
  final Random random;
  Target target = Target.GFX942;

  Machine(long seed) {
    random = new Random(seed);
    space.add(allocation);
    Environment environment =
        new Environment() {
          @Override
          public Target target() {
            return target;
          }

          @Override
          public AddressSpace memory() {
            return space;
          }

          @Override
          public void message(Wave wave, int message) {}

          @Override
          public long realTime() {
            return 4711;
          }

          @Override
          public int workgroups() {
            return 8;
          }
        };
    Code code =
        new Code(
            0,
            0,
            _ -> {
              throw new IllegalStateException();
            },
            _ -> Optional.empty());
    wave =
        new Wave(
            code,
            new Group(environment, lds.address(), BYTES, 0, 0, 0),
            0,
            64,
            64,
            scratch.address(),
            PER_LANE,
            new Temporaries());
    for (MemorySegment s : List.of(buffer, lds, scratch)) {
      for (long i = 0; i < s.byteSize(); i++) {
        s.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
      }
    }
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] = random.nextInt();
      wave.a[i] = random.nextInt();
    }
    wave.s64(Wave.EXEC, -1);
  }

  /** Runs an instruction once. */
  void run(Instruction instruction) {
    new MemoryTranslator().translate(instruction).orElseThrow().execute(wave);
  }

  int v(int register, int lane) {
    return wave.v[register * Wave.LANES + lane];
  }

  void v(int register, int lane, int value) {
    wave.v[register * Wave.LANES + lane] = value;
  }

  void v64(int register, int lane, long value) {
    v(register, lane, (int) value);
    v(register + 1, lane, (int) (value >>> 32));
  }

  boolean active(int lane) {
    return (wave.exec() >>> lane & 1) != 0;
  }

  /** Memory modifiers with an offset and whether an atomic returns. */
  static Modifiers.Memory at(int offset, boolean returns) {
    return new Modifiers.Memory(offset, 0, returns, false, false, false, false, false, false, 0);
  }

  static Operand vector(int register, int dwords) {
    return new Operand.Vector(register, dwords);
  }

  static Operand scalar(int code, int dwords) {
    return new Operand.Scalar(code, dwords);
  }

  static Operand off() {
    return new Operand.Off();
  }

  /** An instruction with operands for the slots that its opcode has. */
  static Instruction instruction(
      Encoding encoding, String name, Modifiers modifiers, Object... slotsAndOperands) {
    List<Opcode.Slot> slots = new ArrayList<>();
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < slotsAndOperands.length; i += 2) {
      String slot = (String) slotsAndOperands[i];
      slots.add(new Opcode.Slot(slot, slot.equals("vdst") || slot.equals("sdst"), DataType.B32));
      operands.add((Operand) slotsAndOperands[i + 1]);
    }
    return new Instruction(new Opcode(name, encoding, 0, slots), 8, operands, modifiers);
  }
}
