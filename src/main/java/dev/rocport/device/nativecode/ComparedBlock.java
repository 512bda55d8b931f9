package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Together;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.device.wave.WaveTrap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a native function whose every pass the interpreter repeats, from the same state. The
 * wave goes on with what the interpreter made; a difference stops it.
 *
 * <p>What native code overwrites is known from a run of the interpreter before it, which goes as
 * far as native code may and is then undone. So other waves must rest meanwhile, and a host that
 * reads the same memory may see a store early.
 */
final class ComparedBlock extends NativeBlock {
  /** The most instructions of a pass. */
  private static final int PASS = 1000;

  /** A host may write to memory between the engines: only what differs each time is an error. */
  private static final int TRIES = 3;

  /** Whether native code may run an instruction, by its index. */
  private final Map<Integer, Boolean> known = new HashMap<>();

  ComparedBlock(Library library, int entry, Entries entries) {
    super(library, entry, entries, null);
  }

  @Override
  public @Nullable Together together() {
    return null;
  }

  /** What a pass of both engines has changed, and where they differ. */
  private record Comparison(StoreLog log, List<String> differences) {
    boolean isEqual() {
      return differences.isEmpty();
    }
  }

  @Override
  public void run(Wave wave, long end) {
    WaveImage start = WaveImage.of(wave, new StoreLog());
    long budget = Math.min(end - wave.instructions, PASS);
    Comparison last = compare(wave, start, budget);
    for (int i = 1; i < TRIES && !last.isEqual(); i++) {
      last = again(wave, start, budget, last);
    }
    if (!last.isEqual()) {
      throw WaveTrap.missing(report(wave, start, last));
    }
  }

  /** Looks for the shortest pass that differs. */
  private String report(Wave wave, WaveImage start, Comparison found) {
    Comparison last = found;
    List<String> differences = found.differences();
    long same = 0;
    long differs = wave.instructions - start.instructions();
    while (same + 1 < differs) {
      long middle = (same + differs) / 2;
      last = again(wave, start, middle, last);
      if (last.isEqual()) {
        same = middle;
      } else {
        differs = middle;
        differences = last.differences();
      }
    }
    again(wave, start, differs, last);
    return "the interpreter and native code differ, %d instructions after word 0x%x: %s"
        .formatted(differs, start.pc(), String.join("; ", differences));
  }

  private Comparison again(Wave wave, WaveImage start, long budget, Comparison last) {
    last.log().undo();
    start.restore(wave);
    return compare(wave, start, budget);
  }

  /**
   * Runs both engines. The wave has the interpreter's state afterwards, at the instruction to which
   * native code has come.
   *
   * @param start the state of the wave
   */
  private Comparison compare(Wave wave, WaveImage start, long budget) {
    StoreLog log = new StoreLog();
    long end = start.instructions() + budget;
    wave.observer = log;
    try {
      interpret(wave, end);
    } catch (MemoryFault | WaveTrap e) {
      // Native code stops before such an instruction, which is interpreted then.
    } finally {
      wave.observer = null;
    }
    log.undo();
    start.restore(wave);
    super.run(wave, end);
    WaveImage compiled = WaveImage.of(wave, log);
    log.undo();
    start.restore(wave);
    try {
      interpret(wave, compiled.instructions());
    } catch (MemoryFault | WaveTrap e) {
      return new Comparison(
          log, List.of("native code continues where the interpreter stops: " + e.getMessage()));
    }
    return new Comparison(log, WaveImage.of(wave, log).differences(compiled, log));
  }

  /** Interprets what native code may run. */
  private void interpret(Wave wave, long end) {
    while (wave.instructions < end && wave.state == WaveState.READY) {
      Op op = wave.code.at(wave.pc);
      if (!known.computeIfAbsent(wave.pc, _ -> isKnown(op.instruction(), wave.code.lanes()))) {
        return;
      }
      wave.pc += op.words();
      wave.instructions++;
      op.execute(wave);
    }
  }

  private static boolean isKnown(Instruction instruction, int lanes) {
    return Region.isBranch(instruction) || Forms.of(instruction, lanes) != null;
  }
}
