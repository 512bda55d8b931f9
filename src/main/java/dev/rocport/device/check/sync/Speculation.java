package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the masked-off lanes of a wave continuing without the looping ones: on a copy of the
 * wave's registers, with no effect on memory.
 */
final class Speculation {
  /** Instructions of one try. */
  private static final int LONGEST = 100_000;

  /**
   * A store that lanes wait for.
   *
   * @param pc of the store
   * @param lanes that would do it
   * @param poll where the others wait for it
   */
  record Store(int pc, long lanes, int poll) {}

  /** An access that is not to be done. */
  private static final class Held extends RuntimeException {
    private static final long serialVersionUID = 1;

    Held() {
      super(null, null, false, false);
    }
  }

  private final Wave wave;
  private final long threads;
  private final Spin spin;
  private final Translator plain;

  /** By index of the code. */
  private final Map<Integer, Op> ops = new HashMap<>();

  /**
   * @param wave at the head of the loop
   * @param threads the lanes that have one
   * @param plain makes operations that no check goes around
   */
  Speculation(Wave wave, long threads, Spin spin, Translator plain) {
    this.plain = plain;
    this.wave = wave;
    this.threads = threads;
    this.spin = spin;
  }

  /** The store that the masked-off lanes would do and that would release the looping ones. */
  Optional<Store> heldUp() {
    if ((threads & ~spin.lanes()) == 0 || wave.indexed) {
      return Optional.empty();
    }
    byte[] scratch = Memory.bytes(wave.scratch, wave.scratchPerLane * Wave.LANES);
    byte[] lds = Memory.bytes(wave.group.lds(), wave.group.ldsSize());
    try {
      Set<Integer> exits = new LinkedHashSet<>();
      Optional<Store> found = others(-1, exits);
      for (int exit : exits) {
        if (found.isEmpty()) {
          found = others(exit, new LinkedHashSet<>());
        }
      }
      return found;
    } catch (RuntimeException e) {
      // A speculative execution may fail.
      return Optional.empty();
    } finally {
      Memory.copy(scratch, 0, wave.scratch, scratch.length);
      Memory.copy(lds, 0, wave.group.lds(), lds.length);
    }
  }

  private Op op(int pc) {
    return ops.computeIfAbsent(
        pc, at -> plain.translate(wave.code.at(at).instruction()).orElseThrow());
  }

  /** A copy of the wave that touches no shared memory. */
  private final class Copy implements AccessObserver {
    final Wave copy;
    final List<Accesses.One> held = new ArrayList<>();
    final List<Accesses.One> loads = new ArrayList<>();

    Copy(Wave from) {
      copy =
          new Wave(
              from.code,
              from.group,
              from.number,
              from.v.length / Wave.LANES,
              from.a.length / Wave.LANES,
              from.scratch,
              from.scratchPerLane,
              from.temporaries);
      System.arraycopy(from.v, 0, copy.v, 0, from.v.length);
      System.arraycopy(from.a, 0, copy.a, 0, from.a.length);
      System.arraycopy(from.s, 0, copy.s, 0, from.s.length);
      copy.scc = from.scc;
      copy.mode = from.mode;
      copy.indexed = false;
      copy.pc = from.pc;
      copy.observer = this;
    }

    /** Runs an instruction; returns whether the copy can continue. */
    boolean step() {
      held.clear();
      loads.clear();
      Op op = op(copy.pc);
      copy.pc += op.instruction().size() >> 2;
      try {
        op.execute(copy);
      } catch (Held e) {
        return true;
      }
      if (copy.state == WaveState.YIELDED) {
        copy.state = WaveState.READY;
      }
      return copy.state == WaveState.READY;
    }

    @Override
    public void lanes(Wave ofWave, Instruction instruction, MemoryAccess memory) {
      if (memory.kind() == Kind.SCRATCH) {
        return;
      }
      Accesses.One one = Accesses.One.of(memory, 0);
      if (one.access() == Access.LOAD) {
        loads.add(one);
      } else {
        held.add(one);
        throw new Held();
      }
    }

    @Override
    public void scalar(
        Wave ofWave, Instruction instruction, Access access, long address, int bytes) {
      if (access != Access.LOAD) {
        throw new Held();
      }
    }
  }

  /**
   * Lets the masked-off lanes continue as if the others had left the loop.
   *
   * @param exit a branch of the loop that is inverted once, or -1
   * @param exits where the loop does not end for lack of lanes: its branches
   */
  private Optional<Store> others(int exit, Set<Integer> exits) {
    Copy trial = new Copy(wave);
    Wave w = trial.copy;
    w.s64(Wave.EXEC, 0);
    Set<Integer> states = new HashSet<>();
    boolean inLoop = true;
    boolean turned = exit < 0;
    for (int i = 0; i < LONGEST; i++) {
      int pc = w.pc;
      Instruction instruction = w.code.at(pc).instruction();
      if (endsIt(instruction)) {
        return Optional.empty();
      }
      if (!trial.step()) {
        return Optional.empty();
      }
      if (inLoop && isChoice(instruction)) {
        exits.add(pc);
        if (!turned && pc == exit) {
          turned = true;
          boolean taken = w.pc != pc + 1;
          w.pc = taken ? pc + 1 : pc + 1 + (short) offset(instruction);
        }
      }
      w.s64(Wave.EXEC, w.exec() & ~spin.lanes());
      inLoop &= w.exec() == 0;
      if (inLoop && w.pc == spin.head() && !states.add(Arrays.hashCode(w.s))) {
        return Optional.empty();
      }
      for (Accesses.One one : trial.held) {
        Optional<Store> store = store(w, pc, instruction, one);
        if (store.isPresent()) {
          return store;
        }
        returned(w, instruction, one, null, 0);
      }
    }
    return Optional.empty();
  }

  private static boolean endsIt(Instruction i) {
    return switch (i.name()) {
      case "s_endpgm", "s_trap", "s_sendmsg" -> true;
      default -> Instructions.isBarrier(i) || i.name().startsWith("ds_gws");
    };
  }

  private static boolean isChoice(Instruction i) {
    return i.opcode().encoding() == Encoding.SOPP && i.name().startsWith("s_cbranch");
  }

  private static int offset(Instruction i) {
    return i.operands().getFirst() instanceof Operand.Immediate(int value) ? value : 0;
  }

  private Optional<Store> store(Wave w, int pc, Instruction instruction, Accesses.One one) {
    if (one.bytes() != 4 && one.bytes() != 8) {
      return Optional.empty();
    }
    for (long m = one.lanes(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long address = one.addresses()[lane];
      if (!spin.reads(address)) {
        continue;
      }
      Long value = Stored.value(w, instruction, one, lane);
      if (value != null) {
        int poll = freed(address, value);
        if (poll >= 0) {
          return Optional.of(new Store(pc, one.lanes(), poll));
        }
      }
    }
    return Optional.empty();
  }

  /** Where lanes that go round would be freed by a value; -1 where none would. */
  private int freed(long address, long value) {
    Copy trial = new Copy(wave);
    Wave w = trial.copy;
    int poll = -1;
    for (int i = 0; i < LONGEST; i++) {
      int pc = w.pc;
      Instruction instruction = w.code.at(pc).instruction();
      if (endsIt(instruction) || !trial.step()) {
        return poll;
      }
      for (Accesses.One one : trial.held) {
        poll = returned(w, instruction, one, address, value) && poll < 0 ? pc : poll;
      }
      for (Accesses.One one : trial.loads) {
        poll = put(w, instruction, one, address, value) && poll < 0 ? pc : poll;
      }
      if (w.pc == spin.head()) {
        // A jump back is the next iteration; any other way to the head enters the loop again.
        boolean again = instruction.opcode().encoding() == Encoding.SOPP && w.pc <= pc;
        return again && (spin.lanes() & ~w.exec()) == 0 ? -1 : poll;
      }
    }
    return poll;
  }

  /** Gives an atomic that was not done its result: what memory holds, or a value at an address. */
  private static boolean returned(
      Wave w, Instruction i, Accesses.One one, @Nullable Long address, long value) {
    if (one.access() != Access.ATOMIC
        || i.operands().isEmpty()
        || !i.opcode().slots().getFirst().destination()) {
      return false;
    }
    boolean any = false;
    for (long m = one.lanes(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long at = one.addresses()[lane];
      boolean here = address != null && at == address;
      any |= here;
      Stored.result(i, w, lane, one.bytes(), here ? value : Stored.load(at, one.bytes()));
    }
    return any;
  }

  private static boolean put(Wave w, Instruction i, Accesses.One one, long address, long value) {
    boolean any = false;
    for (long m = one.lanes(); m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (one.addresses()[lane] == address) {
        Stored.result(i, w, lane, one.bytes(), value);
        any = true;
      }
    }
    return any;
  }
}
