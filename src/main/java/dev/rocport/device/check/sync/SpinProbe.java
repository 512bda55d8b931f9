package dev.rocport.device.check.sync;

import dev.rocport.device.check.sync.Spin.Poll;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Stepper;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks whether a wave goes round in a loop in which nothing changes. */
final class SpinProbe implements Stepper {
  /** Instructions that it looks at. */
  private static final int LONGEST = 4096;

  /** Number of equal iterations required. */
  private static final int ROUNDS = 4;

  private final WaveNotes notes;
  private final Accesses accesses = new Accesses();
  private final Map<Integer, Loop> loops = new HashMap<>();
  private int steps;

  /** A place that the wave jumps back to. */
  private static final class Loop {
    List<Poll> polls = new ArrayList<>();
    long last;
    int equal;
    long registers;
    boolean moved;
    boolean exact;
  }

  SpinProbe(WaveNotes notes) {
    this.notes = notes;
  }

  @Override
  public void run(Wave wave, int budget) {
    for (int i = 0; i < budget && wave.state == WaveState.READY; i++) {
      if (wave.stepper != this) {
        return;
      }
      if (++steps > LONGEST) {
        conclude(wave, null);
        return;
      }
      int pc = wave.pc;
      Instruction instruction = wave.code.at(pc).instruction();
      if (Instructions.touchesMemory(instruction)) {
        if (!access(wave, pc)) {
          conclude(wave, null);
          return;
        }
      } else {
        wave.run(1);
        if (instruction.opcode().encoding() == Encoding.SOPP && wave.pc <= pc && visit(wave)) {
          return;
        }
      }
    }
  }

  private void conclude(Wave wave, @org.jspecify.annotations.Nullable Spin spin) {
    if (wave.stepper == this) {
      wave.stepper = null;
    }
    notes.looked(wave, spin);
  }

  /** Runs an instruction on memory; whether it changes nothing that others see. */
  private boolean access(Wave wave, int pc) {
    accesses.begin(wave);
    try {
      wave.run(1);
    } finally {
      accesses.end(wave);
    }
    if (accesses.all().isEmpty()) {
      moved(); // a scalar load, or a clock: what it read is not known here
    }
    for (Accesses.One one : accesses.all()) {
      if (one.kind() == Kind.SCRATCH) {
        if (one.access() != Access.LOAD) {
          moved(); // a counter may be there
        }
        continue;
      }
      if (one.stride() == 0
          || (one.access() != Access.LOAD
              && Spin.contents(one.lanes(), one.bytes(), one.addresses()) != one.contents())) {
        return false;
      }
      if (one.access() != Access.STORE) {
        Poll poll = new Poll(pc, one.lanes(), one.bytes(), one.addresses(), one.contents());
        loops.values().forEach(l -> l.polls.add(poll));
      }
    }
    return true;
  }

  /** The wave may differ from its last iteration in more than registers. */
  private void moved() {
    loops.values().forEach(l -> l.moved = true);
  }

  /** The wave has jumped back; whether that is the end of it. */
  private boolean visit(Wave wave) {
    Loop loop = loops.computeIfAbsent(wave.pc, _ -> new Loop());
    long hash = wave.exec();
    for (Poll p : loop.polls) {
      hash = hash * 31 + p.pc();
      hash = hash * 31 + p.lanes();
      hash = hash * 31 + p.contents();
      for (long m = p.lanes(); m != 0; m &= m - 1) {
        hash = hash * 31 + p.addresses()[Long.numberOfTrailingZeros(m)];
      }
    }
    loop.equal = hash == loop.last && !loop.polls.isEmpty() ? loop.equal + 1 : 0;
    loop.last = hash;
    long registers = registers(wave);
    boolean same = registers == loop.registers && !loop.moved;
    loop.exact = loop.equal == 0 || (loop.exact && same);
    loop.registers = registers;
    loop.moved = false;
    if (loop.equal >= ROUNDS) {
      conclude(wave, new Spin(wave.pc, wave.exec(), List.copyOf(loop.polls), loop.exact));
      return true;
    }
    loop.polls = new ArrayList<>();
    return false;
  }

  private static long registers(Wave wave) {
    return ((long) Arrays.hashCode(wave.v) * 31 + Arrays.hashCode(wave.s)) * 31
        + Arrays.hashCode(wave.a) * 7L
        + wave.scc;
  }
}
