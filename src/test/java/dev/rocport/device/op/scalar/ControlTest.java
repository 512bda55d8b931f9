package dev.rocport.device.op.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.device.wave.WaveTrap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jumps, registers chosen by M0, hardware registers, barriers, messages and traps. */
final class ControlTest {
  private static final long NEXT = Machine.BASE + 4L * Machine.START + 4;
  private static final int LITERAL = 255;

  private static Machine machine(String name, int sdst, int ssrc0, int constant, int literal) {
    int word = Machine.word(Machine.opcode(name), sdst, ssrc0, constant);
    Machine machine = new Machine(Target.GFX942, word, literal);
    Random random = new Random(name.hashCode());
    for (int i = 0; i < 128; i++) {
      machine.wave.s[i] = random.nextInt();
    }
    return machine;
  }

  private static Machine machine(String name, int constant) {
    return machine(name, 0, 0, constant, 0);
  }

  @Test
  void theProgramCounterIsThatOfTheNextInstruction() {
    Machine m = machine("s_getpc_b64", 10, 0, 0, 0).step();
    assertThat(m.wave.s64(10)).isEqualTo(NEXT);
    assertThat(m.next()).isEqualTo(1);
  }

  @Test
  void jumpsThroughRegisters() {
    Machine m = machine("s_setpc_b64", 0, 30, 0, 0);
    m.wave.s64(30, Machine.BASE + 12);
    assertThat(m.step().wave.pc).isEqualTo(3);
  }

  @Test
  void callsThroughRegistersEvenWithOnePairForBoth() {
    for (int sdst : new int[] {30, 34, 106}) {
      Machine m = machine("s_swappc_b64", sdst, 30, 0, 0);
      m.wave.s64(30, Machine.BASE + 400);
      assertThat(m.step().wave.pc).isEqualTo(100);
      assertThat(m.wave.s64(sdst)).isEqualTo(NEXT);
    }
  }

  @Test
  void jumpsOutOfTheTextAreTraps() {
    for (long address : new long[] {0, Machine.BASE - 4, Machine.BASE + 512, NEXT + 2}) {
      Machine m = machine("s_setpc_b64", 0, 30, 0, 0);
      m.wave.s64(30, address);
      assertThatThrownBy(m::step).isInstanceOf(WaveTrap.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, -1, -20})
  void callsByOffset(int offset) {
    Machine m = machine("s_call_b64", 20, 0, offset, 0).step();
    assertThat(m.next()).isEqualTo(1 + offset);
    assertThat(m.wave.s64(20)).isEqualTo(NEXT);
  }

  /** SCC, VCC and EXEC, and whether the branch is taken. */
  @ParameterizedTest
  @CsvSource({
    "s_branch, 0, 0, 0, true",
    "s_cbranch_scc0, 0, 1, 1, true",
    "s_cbranch_scc0, 1, 0, 0, false",
    "s_cbranch_scc1, 1, 0, 0, true",
    "s_cbranch_scc1, 0, 1, 1, false",
    "s_cbranch_vccz, 1, 0, 1, true",
    "s_cbranch_vccz, 0, 1, 0, false",
    "s_cbranch_vccz, 0, 4294967296, 0, false",
    "s_cbranch_vccnz, 0, 1, 0, true",
    "s_cbranch_vccnz, 0, 4294967296, 0, true",
    "s_cbranch_vccnz, 1, 0, 1, false",
    "s_cbranch_execz, 1, 1, 0, true",
    "s_cbranch_execz, 0, 0, 1, false",
    "s_cbranch_execz, 0, 0, 4294967296, false",
    "s_cbranch_execnz, 0, 0, 1, true",
    "s_cbranch_execnz, 0, 0, 4294967296, true",
    "s_cbranch_execnz, 1, 1, 0, false",
    "s_cbranch_cdbgsys, 1, 1, 1, false",
    "s_cbranch_cdbguser, 1, 1, 1, false",
    "s_cbranch_cdbgsys_or_user, 1, 1, 1, false",
    "s_cbranch_cdbgsys_and_user, 1, 1, 1, false"
  })
  void branches(String name, int scc, long vcc, long exec, boolean taken) {
    for (int offset : new int[] {5, -7, 0}) {
      Machine m = machine(name, offset);
      m.wave.scc = scc;
      m.wave.s64(Wave.VCC, vcc);
      m.wave.s64(Wave.EXEC, exec);
      assertThat(m.step().next()).isEqualTo(taken ? 1 + offset : 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s_nop",
        "s_waitcnt",
        "s_setprio",
        "s_icache_inv",
        "s_incperflevel",
        "s_decperflevel",
        "s_ttracedata",
        "s_wakeup"
      })
  void instructionsWithoutEffect(String name) {
    Machine m = machine(name, 0);
    int[] before = m.wave.s.clone();
    m.step();
    assertThat(m.wave.s).isEqualTo(before);
    assertThat(m.next()).isEqualTo(1);
    assertThat(m.wave.state).isEqualTo(WaveState.READY);
  }

  @ParameterizedTest
  @CsvSource({"s_endpgm, ENDED", "s_barrier, BARRIER", "s_sleep, YIELDED"})
  void statesOfTheWave(String name, WaveState state) {
    Machine m = machine(name, 0).step();
    assertThat(m.wave.state).isEqualTo(state);
    assertThat(m.next()).isEqualTo(1);
  }

  @Test
  void messagesReachTheHost() {
    assertThat(machine("s_sendmsg", 0x1234).step().messages).containsExactly(0x1234);
  }

  @Test
  void trapsEndTheProgramButABreakpoint() {
    assertThat(machine("s_trap", 3).step().next()).isEqualTo(1);
    assertThatThrownBy(machine("s_trap", 2)::step).isInstanceOf(WaveTrap.class);
    assertThatThrownBy(machine("s_trap", 9)::step).hasMessageContaining("number 9");
  }

  @Test
  void readsARegisterChosenByM0() {
    for (int m0 : new int[] {0, 7, 90, -3}) {
      Machine m = machine("s_movrels_b32", 40, 10, 0, 0);
      m.wave.s[Wave.M0] = m0;
      int expected = m.wave.s[10 + m0];
      assertThat(m.step().wave.s[40]).isEqualTo(expected);
    }
    Machine m = machine("s_movrels_b64", 40, 10, 0, 0);
    m.wave.s[Wave.M0] = 20;
    long expected = m.wave.s64(30);
    assertThat(m.step().wave.s64(40)).isEqualTo(expected);
  }

  @Test
  void writesARegisterChosenByM0() {
    for (int ssrc0 : new int[] {10, Wave.M0, 193, 242, LITERAL}) {
      Machine m = machine("s_movreld_b32", 40, ssrc0, 0, 0x12345678);
      m.wave.s[Wave.M0] = 5;
      int[] expected = m.wave.s.clone();
      expected[45] =
          switch (ssrc0) {
            case 193 -> -1;
            case 242 -> 0x3f800000;
            case LITERAL -> 0x12345678;
            default -> expected[ssrc0];
          };
      assertThat(m.step().wave.s).isEqualTo(expected);
    }
    for (int ssrc0 : new int[] {44, 193}) {
      Machine m = machine("s_movreld_b64", 40, ssrc0, 0, 0);
      m.wave.s[Wave.M0] = 6;
      int[] expected = m.wave.s.clone();
      expected[46] = ssrc0 == 44 ? expected[44] : -1;
      expected[47] = ssrc0 == 44 ? expected[45] : -1;
      assertThat(m.step().wave.s).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-41, 68, 1000, 0x7fffffff, 0x80000000})
  void registersThatAreNoneCannotBeChosen(int m0) {
    for (String name : new String[] {"s_movreld_b32", "s_movreld_b64"}) {
      Machine m = machine(name, 40, 40, 0, 0);
      m.wave.s[Wave.M0] = m0;
      assertThatThrownBy(m::step).isInstanceOf(WaveTrap.class);
    }
    for (String name : new String[] {"s_movrels_b32", "s_movrels_b64"}) {
      Machine m = machine(name, 2, 40, 0, 0);
      m.wave.s[Wave.M0] = m0;
      assertThatThrownBy(m::step).isInstanceOf(WaveTrap.class);
    }
  }

  @Test
  void pairsChosenByM0StartAtAnEvenRegister() {
    Machine m = machine("s_movrels_b64", 40, 10, 0, 0);
    m.wave.s[Wave.M0] = 3;
    assertThatThrownBy(m::step).isInstanceOf(WaveTrap.class);
  }

  @Test
  void movesOfVectorRegistersAreTurnedOnAndOff() {
    Machine on = machine("s_set_gpr_idx_on", 0, 10, 0x9, 0);
    on.wave.s[10] = 0x12345678;
    on.wave.s[Wave.M0] = 0xabcdefff;
    on.step();
    assertThat(on.wave.s[Wave.M0]).isEqualTo(0xabcd9f78);
    assertThat(on.wave.indexed).isTrue();

    Machine index = machine("s_set_gpr_idx_idx", 0, 10, 0, 0);
    index.wave.s[10] = 0x12345678;
    index.wave.s[Wave.M0] = 0xabcdefff;
    assertThat(index.step().wave.s[Wave.M0]).isEqualTo(0xabcdef78);

    Machine mode = machine("s_set_gpr_idx_mode", 6);
    mode.wave.s[Wave.M0] = 0xabcdefff;
    assertThat(mode.step().wave.s[Wave.M0]).isEqualTo(0xabcd6fff);

    Machine off = machine("s_set_gpr_idx_off", 0);
    off.wave.indexed = true;
    assertThat(off.step().wave.indexed).isFalse();
  }

  private static int hardware(int number, int offset, int width) {
    return number | offset << 6 | (width - 1) << 11;
  }

  @Test
  void readsFieldsOfMode() {
    for (int offset = 0; offset < 32; offset++) {
      for (int width = 1; width <= 32; width++) {
        Machine m = machine("s_getreg_b32", 8, 0, hardware(1, offset, width), 0);
        m.wave.mode = 0x3f5;
        m.wave.indexed = (offset + width) % 2 == 0;
        long mode = 0x3f5 | (m.wave.indexed ? 1L << 27 : 0);
        int expected = (int) (mode / (1L << offset) % (1L << width));
        assertThat(m.step().wave.s[8]).isEqualTo(expected);
      }
    }
  }

  @Test
  void writesFieldsOfMode() {
    for (boolean immediate : new boolean[] {false, true}) {
      for (int offset = 0; offset < 10; offset++) {
        for (int width = 1; width <= 10 - offset; width++) {
          int number = hardware(1, offset, width);
          Machine m =
              immediate
                  ? machine("s_setreg_imm32_b32", 0, 0, number, 0xfffff2a5)
                  : machine("s_setreg_b32", 9, 0, number, 0);
          m.wave.s[9] = 0xfffff2a5;
          m.wave.mode = 0x8001f6;
          StringBuilder bits = new StringBuilder(Integer.toBinaryString(0x8001f6)).reverse();
          for (int i = 0; i < width; i++) {
            bits.setCharAt(offset + i, (0x2a5 >> i & 1) == 1 ? '1' : '0');
          }
          assertThat(Integer.toBinaryString(m.step().wave.mode))
              .isEqualTo(bits.reverse().toString());
          assertThat(m.next()).isEqualTo(immediate ? 2 : 1);
        }
      }
    }
  }

  @Test
  void modeTurnsMovesOfVectorRegistersOnAndOff() {
    for (int on : new int[] {1, 0}) {
      Machine m = machine("s_setreg_imm32_b32", 0, 0, hardware(1, 27, 1), on);
      m.wave.indexed = on == 0;
      m.step();
      assertThat(m.wave.indexed).isEqualTo(on == 1);
      assertThat(m.wave.mode).isEqualTo(0x3f0);
    }
  }

  @Test
  void unsupportedModeBitsAreReported() {
    for (int bit : new int[] {12, 20, 28}) {
      assertThatThrownBy(machine("s_setreg_imm32_b32", 0, 0, hardware(1, bit, 1), 1)::step)
          .isInstanceOfSatisfying(WaveTrap.class, t -> assertThat(t.isMissing()).isTrue());
    }
  }

  @Test
  void theWaveKnowsWhereItRuns() {
    assertThat(machine("s_getreg_b32", 8, 0, hardware(4, 0, 4), 0).step().wave.s[8]).isEqualTo(5);
    assertThat(machine("s_getreg_b32", 8, 0, hardware(4, 4, 28), 0).step().wave.s[8]).isZero();
    assertThat(machine("s_getreg_b32", 8, 0, hardware(20, 0, 4), 0).step().wave.s[8]).isZero();
  }

  @Test
  void otherHardwareRegistersAreMissing() {
    for (String name : new String[] {"s_getreg_b32", "s_setreg_b32"}) {
      assertThatThrownBy(machine(name, 8, 0, hardware(7, 0, 32), 0)::step)
          .isInstanceOfSatisfying(WaveTrap.class, t -> assertThat(t.isMissing()).isTrue());
    }
  }

  @Test
  void sourcesThatAreMissingAreSaid() {
    assertThatThrownBy(machine("s_mov_b32", 8, 239, 0, 0)::step)
        .isInstanceOfSatisfying(WaveTrap.class, t -> assertThat(t.isMissing()).isTrue());
  }
}
