package dev.rocport.lang.ptx;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Constants of PTX: integers in four bases, floats in decimal or as the hex digits of their bits.
 */
final class Numbers {
  private static final Pattern DECIMAL =
      Pattern.compile("(?=.*[.eE])[-+]?[0-9]*\\.?[0-9]*(?:[eE][-+]?[0-9]+)?");

  private Numbers() {}

  /** The value of an integer, modulo 2^64; null if it is none. */
  static @Nullable Long integer(String text) {
    String s = text.replace(" ", "").toLowerCase(Locale.ROOT);
    boolean minus = s.startsWith("-");
    s = minus || s.startsWith("+") ? s.substring(1) : s;
    s = s.endsWith("u") ? s.substring(0, s.length() - 1) : s;
    try {
      long value;
      if (s.startsWith("0x")) {
        value = Long.parseUnsignedLong(s.substring(2), 16);
      } else if (s.startsWith("0b")) {
        value = Long.parseUnsignedLong(s.substring(2), 2);
      } else if (s.length() > 1 && s.startsWith("0")) {
        value = Long.parseUnsignedLong(s.substring(1), 8);
      } else {
        value = Long.parseUnsignedLong(s);
      }
      return minus ? -value : value;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Bits of a float constant {@code 0f3F800000}; null if it is none. */
  static @Nullable Integer floatBits(String text) {
    if (!text.matches("0[fF][0-9a-fA-F]{8}")) {
      return null;
    }
    return Integer.parseUnsignedInt(text.substring(2), 16);
  }

  /** Bits of a double constant {@code 0d3FF0000000000000}; null if it is none. */
  static @Nullable Long doubleBits(String text) {
    if (!text.matches("0[dD][0-9a-fA-F]{16}")) {
      return null;
    }
    return Long.parseUnsignedLong(text.substring(2), 16);
  }

  /** A decimal constant with a point or an exponent; null if it is none. */
  static @Nullable Double decimal(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      return null;
    }
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
