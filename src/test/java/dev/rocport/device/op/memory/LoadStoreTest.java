package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads and stores of every width in every space, against bytes picked one by one. */
final class LoadStoreTest {

  /** How a load makes a register of bytes. */
  private static long expected(byte[] bytes, String extend) {
    long raw = 0;
    for (int i = bytes.length - 1; i >= 0; i--) {
      raw = raw << 8 | bytes[i] & 0xff;
    }
    int bits = 8 * bytes.length;
    return switch (extend) {
      case "u" -> raw;
      case "s" -> raw << 64 - bits >> 64 - bits & 0xffffffffL;
      case "u_lo" -> raw & 0xffff;
      case "s_lo" -> raw << 64 - bits >> 64 - bits & 0xffff;
      case "u_hi" -> (raw & 0xffff) << 16;
      case "s_hi" -> (raw << 64 - bits >> 64 - bits & 0xffff) << 16;
      default -> throw new IllegalArgumentException(extend);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "ubyte, 1, u",
    "sbyte, 1, s",
    "ushort, 2, u",
    "sshort, 2, s",
    "dword, 4, u",
    "dwordx2, 8, u",
    "dwordx3, 12, u",
    "dwordx4, 16, u",
    "ubyte_d16, 1, u_lo",
    "ubyte_d16_hi, 1, u_hi",
    "sbyte_d16, 1, s_lo",
    "sbyte_d16_hi, 1, s_hi",
    "short_d16, 2, u_lo",
    "short_d16_hi, 2, u_hi"
  })
  void loads(String width, int bytes, String extend) {
    for (int seed = 0; seed < 20; seed++) {
      for (String space :
          new String[] {"global", "saddr", "flat", "scratch", "shared", "private"}) {
        load(space, width, bytes, extend, seed);
      }
    }
  }

  private static void load(String space, String width, int bytes, String extend, int seed) {
    Machine m = new Machine(seed);
    long[] offsets = addresses(m, space, bytes, seed);
    int[] before = m.wave.v.clone();
    m.run(instruction(space, "load_" + width, bytes));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int d = 0; d < (bytes + 3) / 4; d++) {
        int expected = before[(8 + d) * Wave.LANES + lane];
        if (m.active(lane)) {
          byte[] part = new byte[Math.min(4, bytes)];
          for (int b = 0; b < part.length; b++) {
            part[b] = read(m, space, offsets[lane] + 4 * d + b, lane);
          }
          expected = (int) expected(part, extend);
        }
        assertThat(m.v(8 + d, lane)).as("%s %s lane %d", space, width, lane).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "byte, 1, 0",
    "short, 2, 0",
    "byte_d16_hi, 1, 16",
    "short_d16_hi, 2, 16",
    "dword, 4, 0",
    "dwordx2, 8, 0",
    "dwordx3, 12, 0",
    "dwordx4, 16, 0"
  })
  void stores(String width, int bytes, int shift) {
    for (int seed = 0; seed < 20; seed++) {
      for (String space :
          new String[] {"global", "saddr", "flat", "scratch", "shared", "private"}) {
        store(space, width, bytes, shift, seed);
      }
    }
  }

  private static void store(String space, String width, int bytes, int shift, int seed) {
    Machine m = new Machine(seed);
    long[] offsets = addresses(m, space, bytes, seed);
    MemorySegment touched = segment(m, space);
    byte[] model = touched.toArray(ValueLayout.JAVA_BYTE);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int b = 0; b < bytes && m.active(lane); b++) {
        int register = m.v(4 + b / 4, lane) >>> shift;
        model[place(space, offsets[lane] + b, lane)] = (byte) (register >>> 8 * (b % 4));
      }
    }
    m.run(instruction(space, "store_" + width, bytes));
    assertThat(touched.toArray(ValueLayout.JAVA_BYTE)).as("%s %s", space, width).isEqualTo(model);
  }

  private static MemorySegment segment(Machine m, String space) {
    return switch (space) {
      case "shared" -> m.lds;
      case "scratch", "private" -> m.scratch;
      default -> m.buffer;
    };
  }

  private static byte read(Machine m, String space, long offset, int lane) {
    return segment(m, space).get(ValueLayout.JAVA_BYTE, place(space, offset, lane));
  }

  private static int place(String space, long offset, int lane) {
    boolean swizzled = space.equals("scratch") || space.equals("private");
    return (int) (swizzled ? offset / 4 * 256 + lane * 4L + offset % 4 : offset);
  }

  /** Sets up addresses in v2, v3 and s4, s5, in patterns that depend on the seed; the offsets. */
  private static long[] addresses(Machine m, String space, int bytes, int seed) {
    boolean swizzled = space.equals("scratch") || space.equals("private");
    int size = swizzled ? Machine.PER_LANE : Machine.BYTES;
    if (seed % 3 == 1) {
      m.wave.s64(Wave.EXEC, m.random.nextLong() | 1);
    }
    long[] offsets = new long[Wave.LANES];
    int start = 4 * m.random.nextInt(8);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      offsets[lane] =
          switch (seed % 5) {
            case 0 -> swizzled ? start : start + 4L * lane;
            case 1 -> swizzled ? start : start + (long) bytes * lane;
            case 2 -> start;
            case 3 -> 4 * m.random.nextInt((size - 16) / 4);
            default -> m.random.nextInt(size - 16);
          };
    }
    int imm = 64;
    m.wave.s[4] = -8;
    m.wave.s64(6, m.buffer.address() - 4096);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      long at = offsets[lane] + (m.active(lane) ? 0 : 1L << 40);
      switch (space) {
        case "global", "flat" -> m.v64(2, lane, m.buffer.address() + at - imm);
        case "saddr" -> m.v(2, lane, (int) (at + 4096 - imm));
        case "scratch" -> m.v(2, lane, (int) (at + 8 - imm));
        case "shared" -> m.v64(2, lane, ((long) Wave.SHARED_APERTURE << 32 | at) - imm);
        default -> m.v64(2, lane, ((long) Wave.PRIVATE_APERTURE << 32 | at) - imm);
      }
    }
    return offsets;
  }

  private static Instruction instruction(String space, String verb, int bytes) {
    int dwords = (bytes + 3) / 4;
    boolean load = verb.startsWith("load");
    String slot = load ? "vdst" : "vdata";
    var data = Machine.vector(load ? 8 : 4, dwords);
    return switch (space) {
      case "global" ->
          Machine.instruction(
              Encoding.GLOBAL,
              "global_" + verb,
              Machine.at(64, false),
              slot,
              data,
              "vaddr",
              Machine.vector(2, 2),
              "saddr",
              Machine.off());
      case "saddr" ->
          Machine.instruction(
              Encoding.GLOBAL,
              "global_" + verb,
              Machine.at(64, false),
              slot,
              data,
              "vaddr",
              Machine.vector(2, 1),
              "saddr",
              Machine.scalar(6, 2));
      case "scratch" ->
          Machine.instruction(
              Encoding.SCRATCH,
              "scratch_" + verb,
              Machine.at(64, false),
              slot,
              data,
              "vaddr",
              Machine.vector(2, 1),
              "saddr",
              Machine.scalar(4, 1));
      default ->
          Machine.instruction(
              Encoding.FLAT,
              "flat_" + verb,
              Machine.at(64, false),
              slot,
              data,
              "vaddr",
              Machine.vector(2, 2));
    };
  }

  @Test
  void flatLanesMayGoToDifferentSpaces() {
    Machine m = new Machine(1);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      long address =
          switch (lane % 3) {
            case 0 -> m.buffer.address() + 4L * lane;
            case 1 -> (long) Wave.SHARED_APERTURE << 32 | 8L * lane;
            default -> (long) Wave.PRIVATE_APERTURE << 32 | 4L * (lane / 3);
          };
      m.v64(2, lane, address);
    }
    m.run(
        Machine.instruction(
            Encoding.FLAT,
            "flat_load_dword",
            Machine.at(0, false),
            "vdst",
            Machine.vector(2, 1),
            "vaddr",
            Machine.vector(2, 2)));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int expected =
          switch (lane % 3) {
            case 0 -> m.buffer.get(ValueLayout.JAVA_INT, 4L * lane);
            case 1 -> m.lds.get(ValueLayout.JAVA_INT, 8L * lane);
            default -> m.scratch.get(ValueLayout.JAVA_INT, 256L * (lane / 3) + 4L * lane);
          };
      assertThat(m.v(2, lane)).isEqualTo(expected);
    }
  }

  @Test
  void anAccessBeyondAnAllocationNamesTheLane() {
    Machine m = new Machine(2);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v64(2, lane, m.buffer.address() + (lane == 41 ? Machine.BYTES - 2 : 4L * lane));
    }
    Instruction load =
        Machine.instruction(
            Encoding.GLOBAL,
            "global_load_dword",
            Machine.at(0, false),
            "vdst",
            Machine.vector(8, 1),
            "vaddr",
            Machine.vector(2, 2),
            "saddr",
            Machine.off());
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(() -> m.run(load))
        .withMessageContaining("load of 4 bytes")
        .withMessageContaining("2 bytes beyond the end of hipMalloc #1")
        .satisfies(f -> assertThat(f.lane()).isEqualTo(41));
    m.wave.s64(Wave.EXEC, ~(1L << 41));
    m.run(load);
  }

  @Test
  void freedMemoryIsAFaultAlsoWhereItWasFineBefore() {
    Machine m = new Machine(3);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v64(2, lane, m.buffer.address());
    }
    var op =
        new MemoryTranslator()
            .translate(
                Machine.instruction(
                    Encoding.GLOBAL,
                    "global_store_dword",
                    Machine.at(0, false),
                    "vaddr",
                    Machine.vector(2, 2),
                    "vdata",
                    Machine.vector(8, 1),
                    "saddr",
                    Machine.off()))
            .orElseThrow();
    op.execute(m.wave);
    m.space.remove(m.allocation);
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(() -> op.execute(m.wave))
        .withMessageContaining("store of 4 bytes")
        .withMessageContaining("freed memory");
  }

  @Test
  void scratchAndLdsHaveTheirLimits() {
    Machine m = new Machine(4);
    m.v(2, 7, Machine.PER_LANE - 3);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, lane == 7 ? Machine.PER_LANE - 3 : 0);
      m.v(3, lane, lane == 9 ? Machine.BYTES - 3 : 0);
    }
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(
            () ->
                m.run(
                    Machine.instruction(
                        Encoding.SCRATCH,
                        "scratch_store_dword",
                        Machine.at(0, false),
                        "vaddr",
                        Machine.vector(2, 1),
                        "vdata",
                        Machine.vector(8, 1),
                        "saddr",
                        Machine.off())))
        .withMessageContaining("scratch overflow: a lane has 256 bytes")
        .satisfies(f -> assertThat(f.lane()).isEqualTo(7));
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(
            () ->
                m.run(
                    Machine.instruction(
                        Encoding.DS,
                        "ds_read_b32",
                        Machine.at(0, false),
                        "vdst",
                        Machine.vector(8, 1),
                        "addr",
                        Machine.vector(3, 1))))
        .withMessageContaining("outside the LDS of the workgroup, which has 8192 bytes")
        .satisfies(f -> assertThat(f.lane()).isEqualTo(9));
  }

  @Test
  void noActiveLaneTouchesNothing() {
    Machine m = new Machine(5);
    int[] before = new int[Wave.LANES];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 16);
      m.v(3, lane, 0);
      before[lane] = m.v(8, lane);
    }
    Instruction load =
        Machine.instruction(
            Encoding.GLOBAL,
            "global_load_dword",
            Machine.at(0, false),
            "vdst",
            Machine.vector(8, 1),
            "vaddr",
            Machine.vector(2, 2),
            "saddr",
            Machine.off());
    m.wave.s64(Wave.EXEC, 0);
    m.run(load);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      assertThat(m.v(8, lane)).isEqualTo(before[lane]);
    }
    // With one lane there it is a fault: the address is outside of every allocation.
    m.wave.s64(Wave.EXEC, 1);
    assertThatExceptionOfType(MemoryFault.class).isThrownBy(() -> m.run(load));
  }
}
