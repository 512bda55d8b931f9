package dev.rocport.device.wave;

import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;

/**
 * An access of lanes to memory.
 *
 * @param lanes bit l: lane l takes part
 * @param bytes of each lane
 * @param addresses of each lane, in this process; only valid while an observer is called
 * @param stride bytes from one dword of a lane's access to the next, 4 but for scratch in rows; 0
 *     where each byte lies elsewhere (the addresses are offsets then)
 * @param shape how the addresses of each {@link #PART} lanes lie, in two bits for each part from
 *     the lowest up: {@link #ANY}, {@link #ONE} or {@link #ROW}
 */
public record MemoryAccess(
    Kind kind, Access access, long lanes, int bytes, long[] addresses, int stride, int shape) {
  /** Lanes of a part. */
  public static final int PART = 16;

  /** Nothing is known about the addresses of a part. */
  public static final int ANY = 0;

  /** The lanes of a part that take part have one address. */
  public static final int ONE = 1;

  /** The bytes of each lane of a part follow those of the lane before, with gaps for the others. */
  public static final int ROW = 2;

  /** An access of whose addresses nothing is known. */
  public MemoryAccess(
      Kind kind, Access access, long lanes, int bytes, long[] addresses, int stride) {
    this(kind, access, lanes, bytes, addresses, stride, ANY);
  }

  /** The shape of the part that a lane belongs to. */
  public int shapeAt(int lane) {
    return shape >>> (2 * (lane / PART)) & 3;
  }

  /** The lanes that take part, of the part that a lane belongs to. */
  public long lanesAt(int lane) {
    return lanes & (((1L << PART) - 1) << (lane / PART * PART));
  }

  /** What the part that a lane belongs to contributes to {@link #shape}. */
  public static int shapeOf(int lane, int ofPart) {
    return ofPart << (2 * (lane / PART));
  }
}
