package dev.rocport.device.check.uninit;

/**
 * The sources of an operation in one lane: values, and which of their bits are undefined. One a
 * wave, filled anew for each lane.
 */
final class Lane {
  long a;
  long b;
  long c;
  long ua;
  long ub;
  long uc;

  /** The lane's bit of the mask that is read. */
  boolean bit;

  boolean ubit;

  /** Its number. */
  int number;

  boolean any() {
    return (ua | ub | uc) != 0 || ubit;
  }

  void set(int source, long value, long undefined) {
    switch (source) {
      case 0 -> {
        a = value;
        ua = undefined;
      }
      case 1 -> {
        b = value;
        ub = undefined;
      }
      default -> {
        c = value;
        uc = undefined;
      }
    }
  }

  void clear() {
    a = b = c = ua = ub = uc = 0;
    bit = ubit = false;
  }
}
