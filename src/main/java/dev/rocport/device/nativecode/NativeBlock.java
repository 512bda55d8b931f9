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
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.ofVoid(
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG);

  private final MethodHandle function;
  private final int entry;
  private final int vectors;
  private final int accumulators;

  private NativeBlock(MethodHandle function, int entry, WaveFunction.Written written) {
    super(1);
    this.function = function;
    this.entry = entry;
    this.vectors = written.vectors() * Wave.LANES;
    this.accumulators = written.accumulators() * Wave.LANES;
  }

  /** Loads a function. Its registers are Java arrays, which the call pins. */
  @SuppressWarnings("restricted")
  static MethodHandle load(Path library) {
    MemorySegment at =
        SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(WaveFunction.NAME);
    return Linker.nativeLinker().downcallHandle(at, TYPE, Linker.Option.critical(true));
  }

  static NativeBlock of(MethodHandle function, int entry, WaveFunction.Written written) {
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
      function.invokeExact(
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
