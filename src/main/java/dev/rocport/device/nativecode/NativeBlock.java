package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Together;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An entry of a native function. */
sealed class NativeBlock extends Block permits ComparedBlock {
  /** Calls a function at an address. Its registers are Java arrays, which the call pins. */
  @SuppressWarnings("restricted")
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG),
              Linker.Option.critical(true));

  /** Passes after which a block is judged. */
  private static final int TRIAL = 1000;

  private final Library library;
  private final int entry;
  private final int vectors;
  private final int accumulators;

  /** What this block replaced, or null. */
  private final @Nullable Block before;

  /** What a pass from the entry runs if nothing stops it. */
  private final int whole;

  /** Passes since the last judgement, and those of them that were stopped. */
  private int passes;

  private int stopped;

  /**
   * An entry.
   *
   * @param entry its number
   * @param before the block that it replaces, or null
   */
  NativeBlock(Library library, int entry, Entries entries, @Nullable Block before) {
    super(1);
    this.library = library;
    this.entry = entry;
    this.vectors = entries.vectors() * Wave.LANES;
    this.accumulators = entries.accumulators() * Wave.LANES;
    this.before = before;
    this.whole = entries.lengths().get(entry);
  }

  /**
   * The functions of a loaded library.
   *
   * @param wave as {@link WaveFunction} wrote it
   * @param group {@link GroupFunction}
   */
  record Library(MemorySegment wave, MemorySegment group) {
    @SuppressWarnings("restricted")
    static Library load(Path file) {
      SymbolLookup symbols = SymbolLookup.libraryLookup(file, Arena.global());
      return new Library(
          symbols.findOrThrow(WaveFunction.NAME), symbols.findOrThrow(GroupFunction.NAME));
    }
  }

  Library library() {
    return library;
  }

  /** The number of the entry. */
  int entry() {
    return entry;
  }

  @Override
  public @Nullable Together together() {
    return GroupFunction.INSTANCE;
  }

  /**
   * Counts passes. Where most are stopped, by accesses that native code leaves to the interpreter,
   * the block that was here before returns: it runs those, too.
   */
  final void ran(Code code, int pc, long count) {
    stopped += count < whole ? 1 : 0;
    if (++passes == TRIAL) {
      if (before != null && stopped > TRIAL / 2) {
        code.put(pc, before);
      }
      passes = 0;
      stopped = 0;
    }
  }

  @Override
  public final boolean serves(Wave wave) {
    return wave.observer == null
        && wave.traffic == null
        && vectors <= wave.v.length
        && accumulators <= wave.a.length;
  }

  @Override
  public void run(Wave wave, long end) {
    Context context = Context.own();
    context.enter(wave, context.allocations(wave));
    try {
      CALL.invokeExact(
          library.wave,
          MemorySegment.ofArray(wave.v),
          MemorySegment.ofArray(wave.a),
          MemorySegment.ofArray(wave.s),
          context.bytes(),
          entry,
          end - wave.instructions);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    context.leave(wave);
  }
}
