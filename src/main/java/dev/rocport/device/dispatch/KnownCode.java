package dev.rocport.device.dispatch;

import dev.rocport.device.block.Blocks;
import dev.rocport.device.isa.Target;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.device.wave.BlockCompiler;
import dev.rocport.device.wave.Code;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Function;

/**
 * The code objects of a device's programs. What was decoded, compiled and counted of one serves all
 * that load the same bytes: its ranks, its other GPUs, and later runs.
 */
public final class KnownCode {
  private static final int MOST = 32;

  private final NativeEngine engine;

  /** Those used last come first. */
  private final Deque<SoftReference<Known>> all = new ArrayDeque<>();

  private record Known(Target target, byte[] image, Code code) {}

  /**
   * @param engine runs the code
   */
  public KnownCode(NativeEngine engine) {
    this.engine = engine;
  }

  /**
   * The code of an image.
   *
   * @param target whose code it is
   * @param address of its text
   * @param make makes it if it is not known
   */
  synchronized Code code(
      Target target, byte[] image, long address, Function<BlockCompiler, Code> make) {
    for (Iterator<SoftReference<Known>> i = all.iterator(); i.hasNext(); ) {
      SoftReference<Known> reference = i.next();
      Known known = reference.get();
      if (known == null) {
        i.remove();
      } else if (known.target() == target && Arrays.equals(known.image(), image)) {
        i.remove();
        all.addFirst(reference);
        return known.code().at(address);
      }
    }
    Code code = make.apply(engine.compiler(new Blocks(), image));
    all.addFirst(new SoftReference<>(new Known(target, image, code)));
    if (all.size() > MOST) {
      all.removeLast();
    }
    return code;
  }
}
