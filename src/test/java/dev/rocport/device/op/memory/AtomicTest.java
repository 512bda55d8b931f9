package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Allocation;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics of all spaces, lane after lane, against arithmetic on big integers. */
final class AtomicTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** A model of integer updates: values and results are unsigned numbers of some bits. */
  private static BigInteger update(String op, BigInteger m, BigInteger d, BigInteger s, int bits) {
    BigInteger mod = BigInteger.ONE.shiftLeft(bits);
    BigInteger result =
        switch (op) {
          case "swap" -> d;
          case "cmpswap" -> m.equals(s) ? d : m;
          case "cmpst" -> m.equals(d) ? s : m;
          case "add" -> m.add(d);
          case "sub" -> m.subtract(d);
          case "rsub" -> d.subtract(m);
          case "umin" -> m.min(d);
          case "umax" -> m.max(d);
          case "smin" -> signed(m, bits).min(signed(d, bits));
          case "smax" -> signed(m, bits).max(signed(d, bits));
          case "and" -> m.and(d);
          case "or" -> m.or(d);
          case "xor" -> m.xor(d);
          case "mskor" -> m.andNot(d).or(s);
          case "inc" -> m.compareTo(d) >= 0 ? BigInteger.ZERO : m.add(BigInteger.ONE);
          case "dec" -> m.signum() == 0 || m.compareTo(d) > 0 ? d : m.subtract(BigInteger.ONE);
          case "wrap" -> m.compareTo(d) >= 0 ? m.subtract(d) : m.add(s);
          default -> throw new IllegalArgumentException(op);
        };
    return result.mod(mod);
  }

  private static BigInteger signed(BigInteger value, int bits) {
    return value.testBit(bits - 1) ? value.subtract(BigInteger.ONE.shiftLeft(bits)) : value;
  }

  private static BigInteger number(long value, int bits) {
    return BigInteger.valueOf(value).mod(BigInteger.ONE.shiftLeft(bits));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc",
        "dec"
      })
  void integersInEverySpace(String op) {
    for (int seed = 0; seed < 12; seed++) {
      for (String space : new String[] {"global", "shared", "private"}) {
        run(op, "atomic_" + op, space, 32, seed % 2 == 0, seed);
        run(op, "atomic_" + op + "_x2", space, 64, seed % 2 == 0, seed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add u",
        "sub u",
        "rsub u",
        "inc u",
        "dec u",
        "min i",
        "max i",
        "min u",
        "max u",
        "and b",
        "or b",
        "xor b",
        "mskor b",
        "cmpst b",
        "wrxchg b",
        "wrap b"
      })
  void integersInLds(String operation) {
    String op = operation.substring(0, operation.indexOf(' '));
    String type = operation.substring(op.length() + 1);
    String model =
        switch (op) {
          case "min", "max" -> (type.equals("i") ? "s" : "u") + op;
          case "wrxchg" -> "swap";
          default -> op;
        };
    for (int seed = 0; seed < 12; seed++) {
      for (int bits : op.equals("wrap") ? new int[] {32} : new int[] {32, 64}) {
        boolean returns = seed % 2 == 0 || op.equals("wrxchg") || op.equals("wrap");
        String name = "ds_" + op + (returns ? "_rtn_" : "_") + type + bits;
        run(model, name, "lds", bits, returns, seed);
      }
    }
  }

  private static void run(
      String op, String name, String space, int bits, boolean returns, int seed) {
    Machine m = new Machine(seed);
    if (seed % 3 == 0) {
      m.wave.s64(Wave.EXEC, m.random.nextLong() | 1);
    }
    // few places, so that lanes meet; small numbers, so that comparisons go both ways
    int dwords = bits / 32;
    BigInteger[] memory = new BigInteger[4];
    boolean swizzled = space.equals("private");
    int places = seed % 4 == 0 && !swizzled ? 1 : 4;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int place = m.random.nextInt(places);
      long at = 8L * place;
      switch (space) {
        case "global" -> m.v64(2, lane, m.buffer.address() + at);
        case "shared", "lds" -> m.v64(2, lane, (long) Wave.SHARED_APERTURE << 32 | at);
        default -> m.v64(2, lane, (long) Wave.PRIVATE_APERTURE << 32 | at);
      }
      for (int r : new int[] {10, 12, 14}) {
        long value = m.random.nextInt(3) == 0 ? m.random.nextLong() : m.random.nextInt(4);
        m.v64(r, lane, m.random.nextBoolean() ? value : -value);
      }
    }
    int second = op.equals("cmpswap") ? 10 + dwords : 14;
    BigInteger[][] lanes = new BigInteger[Wave.LANES][];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      BigInteger[] here = swizzled ? new BigInteger[4] : memory;
      for (int p = 0; p < 4; p++) {
        if (here[p] == null) {
          long value = p == 3 ? m.random.nextLong() : m.random.nextInt(4);
          put(m, space, p, lane, value, bits);
          here[p] = number(value, bits);
        }
      }
      lanes[lane] = here;
    }
    BigInteger[] old = new BigInteger[Wave.LANES];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      if (m.active(lane)) {
        int place = (m.v(2, lane) - (space.equals("global") ? (int) m.buffer.address() : 0)) / 8;
        old[lane] = lanes[lane][place];
        lanes[lane][place] =
            update(
                op,
                lanes[lane][place],
                register(m, 10, lane, bits),
                register(m, second, lane, bits),
                bits);
      }
    }
    int[] before = m.wave.v.clone();
    m.run(instruction(name, space, dwords, returns, op.equals("cmpswap")));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int p = 0; p < 4; p++) {
        assertThat(get(m, space, p, lane, bits)).as("%s %s", name, space).isEqualTo(lanes[lane][p]);
      }
      for (int d = 0; d < dwords; d++) {
        int expected =
            returns && m.active(lane)
                ? old[lane].shiftRight(32 * d).intValue()
                : before[(20 + d) * Wave.LANES + lane];
        assertThat(m.v(20 + d, lane)).as("%s %s lane %d", name, space, lane).isEqualTo(expected);
      }
    }
  }

  private static BigInteger register(Machine m, int register, int lane, int bits) {
    long low = m.v(register, lane) & 0xffffffffL;
    return number(bits == 32 ? low : low | (long) m.v(register + 1, lane) << 32, bits);
  }

  private static void put(Machine m, String space, int place, int lane, long value, int bits) {
    if (space.equals("private")) {
      m.scratch.set(ValueLayout.JAVA_INT, 512L * place + 4L * lane, (int) value);
      if (bits == 64) {
        m.scratch.set(ValueLayout.JAVA_INT, 512L * place + 256 + 4L * lane, (int) (value >>> 32));
      }
    } else {
      (space.equals("global") ? m.buffer : m.lds).set(LONG, 8L * place, value);
    }
  }

  private static BigInteger get(Machine m, String space, int place, int lane, int bits) {
    long value;
    if (space.equals("private")) {
      value =
          (m.scratch.get(ValueLayout.JAVA_INT, 512L * place + 4L * lane) & 0xffffffffL)
              | (long) m.scratch.get(ValueLayout.JAVA_INT, 512L * place + 256 + 4L * lane) << 32;
    } else {
      value = (space.equals("global") ? m.buffer : m.lds).get(LONG, 8L * place);
    }
    return number(value, bits);
  }

  private static Instruction instruction(
      String name, String space, int dwords, boolean returns, boolean compares) {
    Operand data = Machine.vector(10, compares ? 2 * dwords : dwords);
    Operand result = returns ? Machine.vector(20, dwords) : Machine.off();
    return switch (space) {
      case "lds" ->
          Machine.instruction(
              Encoding.DS,
              name,
              Machine.at(0, false),
              "vdst",
              result,
              "addr",
              Machine.vector(2, 1),
              "data0",
              data,
              name.contains("mskor") || name.contains("cmpst") || name.contains("wrap")
                  ? "data1"
                  : "unused",
              Machine.vector(14, dwords));
      case "global" ->
          Machine.instruction(
              Encoding.GLOBAL,
              "global_" + name,
              Machine.at(0, returns),
              "vdst",
              result,
              "vaddr",
              Machine.vector(2, 2),
              "vdata",
              data,
              "saddr",
              Machine.off());
      default ->
          Machine.instruction(
              Encoding.FLAT,
              "flat_" + name,
              Machine.at(0, returns),
              "vdst",
              result,
              "vaddr",
              Machine.vector(2, 2),
              "vdata",
              data);
    };
  }

  private static Instruction global(String name, int dwords) {
    return instruction("atomic_" + name, "global", dwords, true, false);
  }

  @Test
  void floatsAddRoundedOnce() {
    Machine m = new Machine(6);
    m.wave.s64(Wave.EXEC, 1);
    m.v64(2, 0, m.buffer.address());
    m.buffer.set(ValueLayout.JAVA_FLOAT, 0, 1.5f);
    m.v(10, 0, Float.floatToRawIntBits(0x1p-24f));
    m.run(global("add_f32", 1));
    assertThat(m.buffer.get(ValueLayout.JAVA_FLOAT, 0)).isEqualTo(1.5f);
    assertThat(m.v(20, 0)).isEqualTo(Float.floatToRawIntBits(1.5f));
    m.buffer.set(ValueLayout.JAVA_DOUBLE, 0, 0.1);
    m.v64(10, 0, Double.doubleToRawLongBits(0.2));
    m.run(global("add_f64", 2));
    assertThat(m.buffer.get(ValueLayout.JAVA_DOUBLE, 0)).isEqualTo(0.1 + 0.2);
  }

  @Test
  void gfx90aTakesDenormalFloatsForZeroInGlobalMemory() {
    Machine m = new Machine(6);
    m.wave.s64(Wave.EXEC, 1);
    m.v64(2, 0, m.buffer.address());
    m.v(10, 0, 1);
    for (Target target : Target.withLanes(64)) {
      m.target = target;
      m.buffer.set(ValueLayout.JAVA_FLOAT, 0, Float.MIN_NORMAL);
      m.run(global("add_f32", 1));
      m.run(global("add_f32", 1));
      assertThat(m.buffer.get(ValueLayout.JAVA_INT, 0))
          .isEqualTo(0x00800000 + (target == Target.GFX90A ? 0 : 2));
    }
  }

  @Test
  void packedHalvesAddApart() {
    Machine m = new Machine(7);
    m.wave.s64(Wave.EXEC, 1);
    m.v64(2, 0, m.buffer.address());
    m.buffer.set(ValueLayout.JAVA_INT, 0, half(1.5f) | half(-2) << 16);
    m.v(10, 0, half(0.25f) | half(2048.5f) << 16);
    m.run(global("pk_add_f16", 1));
    assertThat(m.buffer.get(ValueLayout.JAVA_INT, 0)).isEqualTo(half(1.75f) | half(2046) << 16);
    // 256 + 1 lies between two bfloat16, at the even one; 258 + 1 goes up to the even one
    m.buffer.set(ValueLayout.JAVA_INT, 0, brain(256) | brain(258) << 16);
    m.v(10, 0, brain(1) | brain(1) << 16);
    m.run(global("pk_add_bf16", 1));
    assertThat(m.buffer.get(ValueLayout.JAVA_INT, 0)).isEqualTo(brain(256) | brain(260) << 16);
  }

  private static int half(float value) {
    return Float.floatToFloat16(value) & 0xffff;
  }

  private static int brain(float value) {
    return Float.floatToRawIntBits(value) >>> 16;
  }

  @Test
  void aNumberBeatsNanInMinAndMax() {
    Machine m = new Machine(8);
    m.wave.s64(Wave.EXEC, 1);
    m.v64(2, 0, m.buffer.address());
    double[][] cases = {
      {1, 2, 1, 2},
      {-0.0, 0.0, -0.0, 0.0},
      {0.0, -0.0, -0.0, 0.0},
      {Double.NaN, 3, 3, 3},
      {3, Double.NaN, 3, 3},
      {Double.NEGATIVE_INFINITY, 5, Double.NEGATIVE_INFINITY, 5}
    };
    for (double[] c : cases) {
      m.v64(10, 0, Double.doubleToRawLongBits(c[1]));
      m.buffer.set(ValueLayout.JAVA_DOUBLE, 0, c[0]);
      m.run(global("min_f64", 2));
      assertThat(m.buffer.get(ValueLayout.JAVA_DOUBLE, 0)).isEqualTo(c[2]);
      m.buffer.set(ValueLayout.JAVA_DOUBLE, 0, c[0]);
      m.run(global("max_f64", 2));
      assertThat(m.buffer.get(ValueLayout.JAVA_DOUBLE, 0)).isEqualTo(c[3]);
      m.lds.set(ValueLayout.JAVA_FLOAT, 0, (float) c[0]);
      m.v(2, 0, 0);
      m.v(10, 0, Float.floatToRawIntBits((float) c[1]));
      m.run(instruction("ds_max_rtn_f32", "lds", 1, true, false));
      assertThat(m.lds.get(ValueLayout.JAVA_FLOAT, 0)).isEqualTo((float) c[3]);
      m.v64(2, 0, m.buffer.address());
    }
  }

  @Test
  void markedHalvesExchange() {
    Machine m = new Machine(9);
    m.wave.s64(Wave.EXEC, 1);
    m.v(2, 0, 8);
    m.lds.set(LONG, 8, 0x1111111122222222L);
    m.v64(10, 0, 0x8000000500000006L);
    m.run(instruction("ds_condxchg32_rtn_b64", "lds", 2, true, false));
    assertThat(m.lds.get(LONG, 8)).isEqualTo(0x0000000522222222L);
    assertThat(m.v(21, 0)).isEqualTo(0x11111111);
  }

  @Test
  void misalignedAtomicsAreFaults() {
    Machine m = new Machine(10);
    m.wave.s64(Wave.EXEC, 4);
    m.v64(2, 2, m.buffer.address() + 4);
    m.run(global("add", 1));
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(() -> m.run(global("add_x2", 2)))
        .withMessageContaining("not aligned to 8 bytes")
        .satisfies(f -> assertThat(f.lane()).isEqualTo(2));
  }

  @Test
  void wavesOnSeveralThreadsLoseNothing() throws InterruptedException {
    Machine first = new Machine(11);
    first.buffer.set(LONG, 0, 0);
    first.buffer.set(ValueLayout.JAVA_DOUBLE, 8, 0);
    List<Thread> threads = new ArrayList<>();
    Op add = new MemoryTranslator().translate(global("add_x2", 2)).orElseThrow();
    Op addDouble = new MemoryTranslator().translate(global("add_f64", 2)).orElseThrow();
    for (int t = 0; t < 4; t++) {
      Machine m = new Machine(t);
      m.space.add(
          new Allocation(first.buffer.address(), Machine.BYTES, Allocation.Kind.DEVICE, "shared"));
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 500; i++) {
                  for (int lane = 0; lane < Wave.LANES; lane++) {
                    m.v64(2, lane, first.buffer.address());
                    m.v64(10, lane, 3);
                  }
                  add.execute(m.wave);
                  for (int lane = 0; lane < Wave.LANES; lane++) {
                    m.v64(2, lane, first.buffer.address() + 8);
                    m.v64(10, lane, Double.doubleToRawLongBits(0.5));
                  }
                  addDouble.execute(m.wave);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread t : threads) {
      t.join();
    }
    assertThat(first.buffer.get(LONG, 0)).isEqualTo(4 * 500 * 64 * 3);
    assertThat(first.buffer.get(ValueLayout.JAVA_DOUBLE, 8)).isEqualTo(4 * 500 * 64 * 0.5);
  }
}
