package dev.rocport.device.op.memory;

import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** Creates operations that use a path to global memory. */
public final class Routes {
  private Routes() {}

  /** The same operation, on the path where it touches global memory. */
  public static Op through(Op plain, MemoryPath path) {
    return plain instanceof LaneOp op ? lanes(op, path) : plain;
  }

  private static LaneOp lanes(LaneOp plain, MemoryPath path) {
    return switch (plain) {
      case Load load when isGlobal(load.space) -> new RoutedLoad(load, path);
      case Store store when isGlobal(store.space) -> new RoutedStore(store, path);
      case Atomic32 atomic when isGlobal(atomic.space) ->
          new RoutedAtomic(atomic, atomic.space, 4, atomic::access, path);
      case Atomic64 atomic when isGlobal(atomic.space) ->
          new RoutedAtomic(atomic, atomic.space, 8, atomic::access, path);
      case TexelAccess access -> new Anywhere(access, path);
      case LoadToLocal load when isGlobal(load.space) -> new Anywhere(load, path);
      case FlatOp flat ->
          new FlatOp(
              flat.instruction(),
              flat.low,
              flat.offset,
              lanes(flat.global, path),
              flat.local,
              flat.scratch);
      default -> plain;
    };
  }

  private static boolean isGlobal(Space space) {
    return space.kind() == Kind.GLOBAL;
  }

  private static final class RoutedLoad extends LaneOp {
    private final Load plain;
    private final MemoryPath path;

    RoutedLoad(Load plain, MemoryPath path) {
      super(plain.instruction());
      this.plain = plain;
      this.path = path;
    }

    @Override
    void run(Wave wave, long lanes) {
      long[] addresses = wave.temporaries.addresses;
      Width width = plain.width;
      int stride = resolve(plain.space, wave, lanes, width.bytes(), Access.LOAD, addresses);
      if (goesToMemory(plain.space, wave, lanes, addresses, stride)) {
        plain.move(wave, lanes, addresses, stride);
      } else if (stride == Space.SCATTERED) {
        path.beforeAnywhere(wave);
        plain.move(wave, lanes, addresses, stride);
      } else {
        Rows to = plain.destination;
        path.load(wave, width, lanes, addresses, to.of(wave), to.first());
      }
    }
  }

  private static final class RoutedStore extends LaneOp {
    private final Store plain;
    private final MemoryPath path;

    RoutedStore(Store plain, MemoryPath path) {
      super(plain.instruction());
      this.plain = plain;
      this.path = path;
    }

    @Override
    void run(Wave wave, long lanes) {
      long[] addresses = wave.temporaries.addresses;
      Width width = plain.width;
      int stride = resolve(plain.space, wave, lanes, width.bytes(), Access.STORE, addresses);
      if (goesToMemory(plain.space, wave, lanes, addresses, stride)) {
        plain.move(wave, lanes, addresses, stride);
      } else if (stride == Space.SCATTERED) {
        path.beforeAnywhere(wave);
        plain.move(wave, lanes, addresses, stride);
      } else {
        Rows from = plain.source;
        path.store(wave, width, lanes, addresses, from.of(wave), from.first());
      }
    }
  }

  /** The stack of a wave, which no other wave accesses. */
  private static boolean goesToMemory(
      Space space, Wave wave, long lanes, long[] addresses, int stride) {
    return space instanceof BufferSpace
        && stride != Space.SCATTERED
        && LaneOp.isScratch(wave, lanes, addresses);
  }

  private interface Reader {
    AtomicAccess read(Wave wave, long lanes, long[] addresses);
  }

  private static final class RoutedAtomic extends LaneOp {
    private final LaneOp plain;
    private final Space space;
    private final int bytes;
    private final Reader reader;
    private final MemoryPath path;

    RoutedAtomic(LaneOp plain, Space space, int bytes, Reader reader, MemoryPath path) {
      super(plain.instruction());
      this.plain = plain;
      this.space = space;
      this.bytes = bytes;
      this.reader = reader;
      this.path = path;
    }

    @Override
    void run(Wave wave, long lanes) {
      long[] addresses = wave.temporaries.addresses;
      int stride = space.resolve(wave, lanes, bytes, Access.ATOMIC, addresses);
      if (stride == Space.SCATTERED) {
        path.beforeAnywhere(wave);
        plain.run(wave, lanes);
      } else if (LaneOp.isScratch(wave, lanes, addresses)) {
        plain.run(wave, lanes);
      } else {
        resolve(space, wave, lanes, bytes, Access.ATOMIC, addresses);
        Alignment.require(wave, space, lanes, bytes, stride, addresses);
        path.atomic(wave, reader.read(wave, lanes, addresses));
      }
    }
  }

  private static final class Anywhere extends LaneOp {
    private final LaneOp plain;
    private final MemoryPath path;

    Anywhere(LaneOp plain, MemoryPath path) {
      super(plain.instruction());
      this.plain = plain;
      this.path = path;
    }

    @Override
    void run(Wave wave, long lanes) {
      path.beforeAnywhere(wave);
      plain.run(wave, lanes);
    }
  }
}
