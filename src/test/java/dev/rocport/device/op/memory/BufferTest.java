package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.memory.ScratchDescriptor;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Buffers: the descriptor is in s[4:7], the index or offset in v2 and v3, the data in v8. */
final class BufferTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static Instruction buffer(
      String name, int offset, boolean offen, boolean idxen, Operand soffset, int dwords) {
    Operand vaddr = offen || idxen ? Machine.vector(2, offen && idxen ? 2 : 1) : Machine.off();
    return Machine.instruction(
        Encoding.MUBUF,
        name,
        new Modifiers.Memory(offset, 0, true, false, false, false, offen, idxen, false, 0),
        "vdata",
        Machine.vector(8, dwords),
        "vaddr",
        vaddr,
        "srsrc",
        Machine.scalar(4, 4),
        "soffset",
        soffset);
  }

  private static Machine machine(long seed, int stride, int records, int flags) {
    Machine m = new Machine(seed);
    m.wave.s64(4, m.buffer.address() + 512 | (long) stride << 48);
    m.wave.s[6] = records;
    m.wave.s[7] = flags;
    m.wave.s[10] = 64;
    m.wave.s64(Wave.EXEC, ~(1L << 17));
    return m;
  }

  @Test
  void rawOffsets() {
    Machine m = machine(1, 0, 4096, 0);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 12 * lane);
    }
    int before = m.v(8, 17);
    m.run(buffer("buffer_load_dwordx3", 20, true, false, Machine.scalar(10, 1), 3));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int d = 0; d < 3 && lane != 17; d++) {
        assertThat(m.v(8 + d, lane)).isEqualTo(m.buffer.get(INT, 512 + 84 + 12L * lane + 4 * d));
      }
    }
    assertThat(m.v(8, 17)).isEqualTo(before);
  }

  @Test
  void beyondTheRecordsLoadsGiveZeroStoresAndAtomicsGoNowhere() {
    Machine m = machine(2, 0, 100, 0);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 4 * lane);
    }
    byte[] before = m.buffer.toArray(ValueLayout.JAVA_BYTE);
    m.run(buffer("buffer_load_dwordx2", 0, true, false, new Operand.Inline(128 + 4), 2));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int d = 0; d < 2 && lane != 17; d++) {
        int at = 4 + 4 * lane + 4 * d;
        assertThat(m.v(8 + d, lane)).isEqualTo(at < 100 ? m.buffer.get(INT, 512 + at) : 0);
      }
    }
    m.run(buffer("buffer_store_dword", 0, true, false, new Operand.Inline(128), 1));
    byte[] after = m.buffer.toArray(ValueLayout.JAVA_BYTE);
    for (int i = 0; i < before.length; i++) {
      int lane = (i - 512) / 4;
      boolean written = i >= 512 && i < 612 && lane != 17;
      byte expected = written ? (byte) (m.v(8, lane) >>> 8 * (i % 4)) : before[i];
      assertThat(after[i]).as("byte %d", i).isEqualTo(expected);
    }
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(8, lane, 1000);
    }
    m.run(buffer("buffer_atomic_add", 0, true, false, new Operand.Inline(128), 1));
    assertThat(m.v(8, 25)).isZero();
    assertThat(m.buffer.get(INT, 512 + 100)).isEqualTo(m.buffer.get(INT, 612));
    assertThat(m.buffer.get(INT, 512 + 96)).isEqualTo(m.v(8, 24) + 1000);
  }

  /** It is not known whether it counts: only where that makes no difference, accesses are done. */
  @Test
  void scalarOffsetsOfRdna4MayNotDecideTheBounds() {
    Instruction load =
        ofRdna4(buffer("buffer_load_dword", 0, true, false, Machine.scalar(10, 1), 1));
    Machine m = machine(3, 0, 200, 3 << 28);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, lane % 2 == 0 ? 2 * lane : 400);
    }
    m.run(load);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      if (lane != 17) {
        int there = m.buffer.get(INT, 512 + 64 + 2L * lane);
        assertThat(m.v(8, lane)).isEqualTo(lane % 2 == 0 ? there : 0);
      }
    }
    m.v(2, 5, 150);
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> m.run(load))
        .withMessageContaining("lane 5 is within them only if it does not");
  }

  private static Instruction ofRdna4(Instruction i) {
    Opcode o = i.opcode();
    Opcode opcode =
        new Opcode(o.name(), o.encoding(), o.number(), o.slots(), o.mnemonic(), Generation.RDNA4);
    return new Instruction(opcode, i.size(), i.operands(), i.modifiers());
  }

  @Test
  void recordsByIndex() {
    Machine m = machine(3, 24, 50, 0);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, lane);
      m.v(3, lane, 4 * (lane % 3));
    }
    m.run(buffer("buffer_load_ushort", 6, true, true, new Operand.Inline(128), 1));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int at = 512 + 24 * lane + 4 * (lane % 3) + 6;
      if (lane != 17) {
        assertThat(m.v(8, lane))
            .isEqualTo(lane < 50 ? m.buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0xffff : 0);
      }
    }
  }

  @Test
  void swizzledRecords() {
    // elements of 8 bytes, 16 indices together, records of 32 bytes
    Machine m = machine(4, 32 | 1 << 15, 64, 2 << 19 | 1 << 21);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, lane);
      m.v(3, lane, 4 * (lane % 8));
    }
    m.run(buffer("buffer_load_dword", 0, true, true, new Operand.Inline(128), 1));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int offset = 4 * (lane % 8);
      int at = lane / 16 * 512 + offset / 8 * 128 + lane % 16 * 8 + offset % 8;
      if (lane != 17) {
        assertThat(m.v(8, lane)).isEqualTo(m.buffer.get(INT, 512 + at));
      }
    }
  }

  @Test
  void scratchIsTheSameByBufferAndByScratchInstruction() {
    for (int start : new int[] {8, 9, 10, 11}) {
      Machine m = new Machine(start);
      int[] words = new ScratchDescriptor(m.scratch.address()).words();
      System.arraycopy(words, 0, m.wave.s, 4, 4);
      m.wave.s[10] = 64 * 16;
      for (int lane = 0; lane < Wave.LANES; lane++) {
        m.v(2, lane, 4 * (lane % 16));
      }
      m.run(buffer("buffer_load_dwordx2", start, true, false, Machine.scalar(10, 1), 2));
      m.run(
          Machine.instruction(
              Encoding.SCRATCH,
              "scratch_load_dwordx2",
              Machine.at(start + 16, false),
              "vdst",
              Machine.vector(20, 2),
              "vaddr",
              Machine.vector(2, 1),
              "saddr",
              Machine.off()));
      for (int lane = 0; lane < Wave.LANES; lane++) {
        assertThat(m.v(8, lane)).isEqualTo(m.v(20, lane));
        assertThat(m.v(9, lane)).isEqualTo(m.v(21, lane));
      }
      m.run(buffer("buffer_store_short", start + 5, false, false, Machine.scalar(10, 1), 1));
      m.run(
          Machine.instruction(
              Encoding.SCRATCH,
              "scratch_load_ushort",
              Machine.at(start + 21, false),
              "vdst",
              Machine.vector(20, 1),
              "vaddr",
              Machine.off(),
              "saddr",
              Machine.off()));
      for (int lane = 0; lane < Wave.LANES; lane++) {
        assertThat(m.v(20, lane)).isEqualTo(m.v(8, lane) & 0xffff);
      }
    }
  }

  @Test
  void scratchThroughABufferOverflowsToo() {
    Machine m = new Machine(5);
    System.arraycopy(new ScratchDescriptor(m.scratch.address()).words(), 0, m.wave.s, 4, 4);
    m.wave.s[10] = 64 * 16;
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(
            () ->
                m.run(
                    buffer(
                        "buffer_load_dword",
                        Machine.PER_LANE - 16,
                        false,
                        false,
                        Machine.scalar(10, 1),
                        1)))
        .withMessageContaining("scratch overflow");
  }

  @Test
  void recordsThatNoAllocationHoldsAreAFault() {
    Machine m = machine(6, 0, 1 << 20, 0);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, lane == 5 ? Machine.BYTES : 0);
    }
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(
            () -> m.run(buffer("buffer_load_dword", 0, true, false, new Operand.Inline(128), 1)))
        .satisfies(f -> assertThat(f.lane()).isEqualTo(5));
  }

  @Test
  void loadsGoToLds() {
    Machine m = machine(7, 0, 4096, 0);
    m.wave.s[Wave.M0] = 256;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 8 * lane);
      m.v64(4, lane, m.buffer.address() + 16 * lane);
    }
    int before = m.lds.get(INT, 256 + 16 + 4 * 17);
    m.run(
        Machine.instruction(
            Encoding.MUBUF,
            "buffer_load_dword",
            new Modifiers.Memory(16, 0, false, false, false, false, true, false, true, 0),
            "vdata",
            Machine.off(),
            "vaddr",
            Machine.vector(2, 1),
            "srsrc",
            Machine.scalar(4, 4),
            "soffset",
            new Operand.Inline(128)));
    assertThat(m.lds.get(INT, 256 + 16 + 4 * 17)).isEqualTo(before);
    assertThat(m.lds.get(INT, 256 + 16 + 4 * 18)).isEqualTo(m.buffer.get(INT, 512 + 16 + 8 * 18));
    m.run(
        Machine.instruction(
            Encoding.GLOBAL,
            "global_load_lds_sbyte",
            Machine.at(4, false),
            "vaddr",
            Machine.vector(4, 2),
            "saddr",
            Machine.off()));
    assertThat(m.lds.get(INT, 256 + 4 + 4 * 33))
        .isEqualTo(m.buffer.get(ValueLayout.JAVA_BYTE, 4 + 16 * 33));
  }
}
