package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scalar loads, stores and atomics. The base is in s[4:5], or the descriptor in s[4:7]. */
final class ScalarMemoryTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static Instruction smem(
      String name,
      String slot,
      int register,
      int dwords,
      Operand soffset,
      int offset,
      boolean sc0) {
    return Machine.instruction(
        Encoding.SMEM,
        name,
        Machine.at(offset, sc0),
        slot,
        Machine.scalar(register, dwords),
        "sbase",
        Machine.scalar(4, name.contains("buffer") ? 4 : 2),
        "soffset",
        soffset);
  }

  @ParameterizedTest
  @CsvSource({
    "s_load_dword, 1",
    "s_load_dwordx2, 2",
    "s_load_dwordx4, 4",
    "s_load_dwordx8, 8",
    "s_load_dwordx16, 16"
  })
  void loadsIgnoreTheTwoLowBitsOfTheAddress(String name, int dwords) {
    for (int low = 0; low < 8; low++) {
      Machine m = new Machine(low);
      m.wave.s64(4, m.buffer.address() + 100 + low);
      m.wave.s[20] = 1000 + low;
      m.run(smem(name, "sdst", 32, dwords, Machine.scalar(20, 1), -40 - low, false));
      for (int d = 0; d < dwords; d++) {
        assertThat(m.wave.s[32 + d]).isEqualTo(m.buffer.get(INT, ((1060 + low) & ~3) + 4L * d));
      }
      assertThat(m.wave.s[32 + dwords]).isZero();
    }
  }

  @Test
  void aLoadMayReplaceItsBase() {
    Machine m = new Machine(1);
    m.wave.s64(4, m.buffer.address());
    m.run(smem("s_load_dwordx4", "sdst", 4, 4, Machine.off(), 16, false));
    for (int d = 0; d < 4; d++) {
      assertThat(m.wave.s[4 + d]).isEqualTo(m.buffer.get(INT, 16 + 4L * d));
    }
  }

  @Test
  void aLoadBeyondAnAllocationIsAFaultWithoutALane() {
    Machine m = new Machine(2);
    m.wave.s64(4, m.buffer.address() + Machine.BYTES - 4);
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(() -> m.run(smem("s_load_dwordx2", "sdst", 8, 2, Machine.off(), 0, false)))
        .withMessageContaining("load of 8 bytes")
        .satisfies(f -> assertThat(f.lane()).isEqualTo(-1));
  }

  @Test
  void beyondABufferLoadsGiveZeroAndStoresGoNowhere() {
    Machine m = new Machine(3);
    m.wave.s64(4, m.buffer.address() + 256);
    m.wave.s[6] = 24;
    m.run(smem("s_buffer_load_dwordx4", "sdst", 8, 4, Machine.off(), 16, false));
    assertThat(m.wave.s[8]).isEqualTo(m.buffer.get(INT, 272));
    assertThat(m.wave.s[9]).isEqualTo(m.buffer.get(INT, 276));
    assertThat(m.wave.s[10]).isZero();
    assertThat(m.wave.s[11]).isZero();
    int behind = m.buffer.get(INT, 280);
    m.wave.s[12] = 11;
    m.wave.s[13] = 12;
    m.run(smem("s_buffer_store_dwordx2", "sdata", 12, 2, Machine.off(), 20, false));
    assertThat(m.buffer.get(INT, 276)).isEqualTo(11);
    assertThat(m.buffer.get(INT, 280)).isEqualTo(behind);
    // with a stride the records are counted
    m.wave.s[5] |= 8 << 16;
    m.run(smem("s_buffer_load_dword", "sdst", 8, 1, Machine.off(), 188, false));
    assertThat(m.wave.s[8]).isEqualTo(m.buffer.get(INT, 444));
    m.run(smem("s_buffer_load_dword", "sdst", 8, 1, Machine.off(), 192, false));
    assertThat(m.wave.s[8]).isZero();
  }

  @Test
  void storesAndAtomics() {
    Machine m = new Machine(4);
    m.wave.s64(4, m.buffer.address());
    m.wave.s64(8, 0x1_0000_0005L);
    m.run(smem("s_store_dwordx2", "sdata", 8, 2, Machine.off(), 64, false));
    assertThat(m.buffer.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(0x1_0000_0005L);
    m.run(smem("s_atomic_add_x2", "sdata", 8, 2, Machine.off(), 64, true));
    assertThat(m.buffer.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(0x2_0000_000aL);
    assertThat(m.wave.s64(8)).isEqualTo(0x1_0000_0005L);
    m.wave.s[8] = 77;
    m.wave.s[9] = 0xa;
    m.run(smem("s_atomic_cmpswap", "sdata", 8, 2, Machine.off(), 64, true));
    assertThat(m.buffer.get(ValueLayout.JAVA_INT, 64)).isEqualTo(77);
    assertThat(m.wave.s[8]).isEqualTo(0xa);
    m.run(smem("s_atomic_umax", "sdata", 8, 1, Machine.off(), 64, false));
    assertThat(m.buffer.get(ValueLayout.JAVA_INT, 64)).isEqualTo(77);
    assertThat(m.wave.s[8]).isEqualTo(0xa);
  }

  @Test
  void clocksTick() throws InterruptedException {
    Machine m = new Machine(5);
    m.run(
        Machine.instruction(
            Encoding.SMEM, "s_memrealtime", Machine.at(0, false), "sdst", Machine.scalar(8, 2)));
    assertThat(m.wave.s64(8)).isEqualTo(4711);
    Instruction clock =
        Machine.instruction(
            Encoding.SMEM, "s_memtime", Machine.at(0, false), "sdst", Machine.scalar(8, 2));
    m.run(clock);
    long before = m.wave.s64(8);
    Thread.sleep(10);
    m.run(clock);
    int megahertz = m.wave.group.environment().target().megahertz();
    assertThat(m.wave.s64(8) - before).isGreaterThanOrEqualTo(10_000L * megahertz);
  }
}
