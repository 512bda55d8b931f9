package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The state of a wave with what it can write: its registers, its workgroup's LDS, its scratch, and
 * the places in global memory that a log names.
 */
record WaveImage(
    int[] v,
    int[] a,
    int[] s,
    int scc,
    int signals,
    int waits,
    int barrier,
    int pc,
    WaveState state,
    long instructions,
    byte[] lds,
    byte[] scratch,
    List<byte[]> global) {

  /** Differences that are worth telling. */
  private static final int MOST = 4;

  static WaveImage of(Wave wave, StoreLog log) {
    return new WaveImage(
        wave.v.clone(),
        wave.a.clone(),
        wave.s.clone(),
        wave.scc,
        wave.barrierSignals,
        wave.barrierWaits,
        wave.group.barrier().state(),
        wave.pc,
        wave.state,
        wave.instructions,
        Memory.bytes(wave.group.lds(), wave.group.ldsSize()),
        Memory.bytes(wave.scratch, scratchSize(wave)),
        log.now());
  }

  private static int scratchSize(Wave wave) {
    return wave.scratchPerLane * Wave.LANES;
  }

  /** Gives the wave this state, but for global memory. */
  void restore(Wave wave) {
    System.arraycopy(v, 0, wave.v, 0, v.length);
    System.arraycopy(a, 0, wave.a, 0, a.length);
    System.arraycopy(s, 0, wave.s, 0, s.length);
    wave.scc = scc;
    wave.barrierSignals = signals;
    wave.barrierWaits = waits;
    wave.group.barrier().restore(barrier);
    wave.pc = pc;
    wave.state = state;
    wave.instructions = instructions;
    Memory.copy(lds, 0, wave.group.lds(), lds.length);
    Memory.copy(scratch, 0, wave.scratch, scratch.length);
  }

  /**
   * Where the state of a wave after native code differs from this one, which the interpreter has
   * reached: some places with both values; empty if nowhere.
   *
   * @param other the state after native code
   */
  List<String> differences(WaveImage other, StoreLog log) {
    List<String> found = new ArrayList<>();
    if (pc != other.pc || state != other.state || instructions != other.instructions) {
      found.add(
          ("in the interpreter, the wave is %s at word 0x%x after %d instructions;"
                  + " in native code, it is %s at word 0x%x after %d instructions")
              .formatted(state, pc, instructions, other.state, other.pc, other.instructions));
    }
    if (scc != other.scc) {
      found.add("SCC is %d in the interpreter and %d in native code".formatted(scc, other.scc));
    }
    if (signals != other.signals || waits != other.waits || barrier != other.barrier) {
      found.add(
          ("in the interpreter, the wave has signaled its barrier %d times and waited %d times; in"
                  + " native code, it has signaled %d times and waited %d times")
              .formatted(signals, waits, other.signals, other.waits));
    }
    for (int i = 0; i < Operand.NULL; i++) {
      if (s[i] != other.s[i]) {
        found.add(
            "s[%d] is 0x%x in the interpreter and 0x%x in native code"
                .formatted(i, s[i], other.s[i]));
      }
    }
    registers("v", v, other.v, found);
    registers("a", a, other.a, found);
    bytes("LDS", lds, other.lds, found);
    bytes("scratch", scratch, other.scratch, found);
    for (int i = 0; i < global.size(); i++) {
      if (!Arrays.equals(global.get(i), other.global.get(i))) {
        HexFormat hex = HexFormat.of();
        found.add(
            "memory at 0x%x has the bytes %s in the interpreter and %s in native code"
                .formatted(
                    log.address(i),
                    hex.formatHex(global.get(i)),
                    hex.formatHex(other.global.get(i))));
      }
    }
    return List.copyOf(found.subList(0, Math.min(found.size(), MOST)));
  }

  private static void registers(String file, int[] mine, int[] other, List<String> found) {
    for (int i = 0; i < mine.length; i++) {
      if (mine[i] != other[i]) {
        found.add(
            "%s%d is 0x%x in the interpreter and 0x%x in native code, in lane %d"
                .formatted(file, i / Wave.LANES, mine[i], other[i], i % Wave.LANES));
      }
    }
  }

  private static void bytes(String memory, byte[] mine, byte[] other, List<String> found) {
    int at = Arrays.mismatch(mine, other);
    if (at >= 0) {
      found.add(
          "byte %d of the %s is 0x%x in the interpreter and 0x%x in native code"
              .formatted(at, memory, mine[at], other[at]));
    }
  }
}
