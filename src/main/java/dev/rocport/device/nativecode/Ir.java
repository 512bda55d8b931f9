package dev.rocport.device.nativecode;

import java.util.Locale;

/** Text of LLVM IR, one instruction after the other. */
final class Ir {
  private final StringBuilder text = new StringBuilder();
  private int next;

  /** Adds an instruction that makes a value, and returns the name of the value. */
  String value(String format, Object... arguments) {
    String name = "%x" + next++;
    text.append("  ").append(name).append(" = ").append(filled(format, arguments)).append('\n');
    return name;
  }

  /** Adds an instruction that makes none. */
  void line(String format, Object... arguments) {
    text.append("  ").append(filled(format, arguments)).append('\n');
  }

  /** An i64 of two i32. */
  String pair(String low, String high) {
    String up = value("shl i64 %s, 32", value("zext i32 %s to i64", high));
    return value("or i64 %s, %s", up, value("zext i32 %s to i64", low));
  }

  /** The low i32 of an i64. */
  String low(String both) {
    return value("trunc i64 %s to i32", both);
  }

  /** The high i32 of an i64. */
  String high(String both) {
    return low(value("lshr i64 %s, 32", both));
  }

  /** A label that no other block has. */
  String label(String hint) {
    return hint + next++;
  }

  /** A name that no other value has, for a value that is used before it is made. */
  String name() {
    return "%x" + next++;
  }

  /** Begins a basic block. */
  void block(String label) {
    text.append(label).append(":\n");
  }

  /** Adds text as it is. */
  void append(CharSequence more) {
    text.append(more);
  }

  @SuppressWarnings("AnnotateFormatMethod") // the formats are constants of this package
  private static String filled(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
