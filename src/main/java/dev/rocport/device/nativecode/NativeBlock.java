package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Wave;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** An entry of a native function. */
final class NativeBlock extends Block {
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

  private final MemorySegment function;
  private final int entry;
  private final int vectors;
  private final int accumulators;

  private NativeBlock(MemorySegment function, int entry, WaveFunction.Written written) {
    super(1);
    this.function = function;
    this.entry = entry;
    this.vectors = written.vectors() * Wave.LANES;
    this.accumulators = written.accumulators() * Wave.LANES;
  }

  /** Loads a function. */
  @SuppressWarnings("restricted")
  static MemorySegment load(Path library) {
    return SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(WaveFunction.NAME);
  }

  static NativeBlock of(MemorySegment function, int entry, WaveFunction.Written written) {
    return new NativeBlock(function, entry, written);
  }

  @Override
  public boolean serves(Wave wave) {
    return wave.observer == null
        && wave.traffic == null
        && vectors <= wave.v.length
        && accumulators <= wave.a.length;
  }

  @Override
  public void run(Wave wave, long end) {
    Context context = Context.own();
    context.enter(wave);
    try {
      CALL.invokeExact(
          function,
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
