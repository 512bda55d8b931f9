package dev.rocport.device.check.uninit;

/**
 * Which bits of a result are undefined, for the operations that both halves of the machine have. A
 * value x with undefined bits u stands for all numbers that agree with x outside of u.
 */
final class Definedness {
  private Definedness() {}

  static long and(long a, long ua, long b, long ub) {
    return (ua & ub) | (ua & b) | (ub & a);
  }

  static long or(long a, long ua, long b, long ub) {
    return (ua & ub) | (ua & ~b) | (ub & ~a);
  }

  /** Of {@code choice ? b : a} where the choice is not defined. */
  static long either(long a, long ua, long b, long ub) {
    return ua | ub | (a ^ b);
  }

  /** The smallest and the largest sum differ wherever any two do, or carry there. */
  static long add(long a, long ua, long b, long ub) {
    if ((ua | ub) == 0) {
      return 0;
    }
    long least = (a & ~ua) + (b & ~ub);
    long most = (a | ua) + (b | ub);
    return ua | ub | (least ^ most);
  }

  static long sub(long a, long ua, long b, long ub) {
    if ((ua | ub) == 0) {
      return 0;
    }
    long least = (a & ~ua) - (b | ub);
    long most = (a | ua) - (b & ~ub);
    return ua | ub | (least ^ most);
  }

  /** Bits below the lowest that can change are those of the product of the known bits. */
  static long mul(long a, long ua, long b, long ub) {
    if ((ua | ub) == 0) {
      return 0;
    }
    int fromA = ua == 0 ? 64 : Long.numberOfTrailingZeros(ua) + zeros(b | ub);
    int fromB = ub == 0 ? 64 : Long.numberOfTrailingZeros(ub) + zeros(a | ua);
    int lowest = Math.min(fromA, fromB);
    return lowest >= 64 ? 0 : -1L << lowest;
  }

  private static int zeros(long x) {
    return Long.numberOfTrailingZeros(x);
  }

  static long all(long anyOf) {
    return anyOf == 0 ? 0 : -1L;
  }

  /** Whether a == b is undefined. */
  static boolean equal(long a, long ua, long b, long ub) {
    return (ua | ub) != 0 && ((a ^ b) & ~(ua | ub)) == 0;
  }

  /** Whether a < b is undefined, unsigned; signed numbers come with their sign bit turned over. */
  static boolean less(long a, long ua, long b, long ub) {
    if ((ua | ub) == 0) {
      return false;
    }
    boolean always = Long.compareUnsigned(a | ua, b & ~ub) < 0;
    boolean never = Long.compareUnsigned(a & ~ua, b | ub) >= 0;
    return !always && !never;
  }

  /** Whether the carry out of the low 32 bits of a sum of up to three is undefined. */
  static boolean carry(long a, long ua, long b, long ub, long c, long uc) {
    long least = (a & ~ua) + (b & ~ub) + (c & ~uc);
    long most = (a | ua) + (b | ub) + (c | uc);
    return least >>> 32 != most >>> 32;
  }

  /** Whether the borrow of a - b - c is undefined, of numbers of 32 bits. */
  static boolean borrow(long a, long ua, long b, long ub, long c, long uc) {
    long least = (a & ~ua) - (b | ub) - (c | uc);
    long most = (a | ua) - (b & ~ub) - (c & ~uc);
    return (least < 0) != (most < 0);
  }

  /** A field of a register, from {@code offset} on. */
  static long field(long u, int offset, int width, boolean signed, int size) {
    if (width == 0 || offset >= size) {
      return 0;
    }
    int bits = Math.min(width, size - offset);
    long cut = u >>> offset << (64 - bits);
    return signed ? cut >> (64 - bits) : cut >>> (64 - bits);
  }

  /**
   * v_perm_b32: eight bytes of b then a, signs from 8 on, 0 at 12 and ones above. CDNA3 ISA.
   *
   * @param selector which is defined where {@code unknown} has no bits
   */
  static long permute(long ua, long ub, long selector, long unknown) {
    long bytes = ua << 32 | ub;
    long result = 0;
    for (int i = 0; i < 4; i++) {
      int select = (int) (selector >>> (8 * i)) & 0xff;
      long octet;
      if ((unknown >>> (8 * i) & 0xff) != 0) {
        octet = 0xff;
      } else if (select < 8) {
        octet = bytes >>> (8 * select) & 0xff;
      } else if (select < 12) {
        octet = (bytes >>> (16 * (select - 8) + 15) & 1) != 0 ? 0xff : 0;
      } else {
        octet = 0;
      }
      result |= octet << (8 * i);
    }
    return result;
  }
}
