package dev.rocport.device.check.uninit;

import org.jspecify.annotations.Nullable;

/** Where the undefined values come from that waves of a workgroup have stored to its LDS. */
final class LocalOrigins {
  private final int words;

  /** One more than the origin, for each dword; 0 where nothing undefined was ever stored. */
  private int @Nullable [] origins;

  /**
   * Nothing was stored yet.
   *
   * @param bytes of LDS
   */
  LocalOrigins(long bytes) {
    this.words = (int) (bytes >> 2);
  }

  /** The origin of the stored value, or -1 if no undefined value was stored. */
  int of(long offset) {
    return origins == null ? -1 : origins[(int) (offset >> 2)] - 1;
  }

  void set(long offset, int origin) {
    if (origins == null) {
      origins = new int[words];
    }
    origins[(int) (offset >> 2)] = origin + 1;
  }
}
