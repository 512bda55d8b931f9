package dev.rocport.warp.proof;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An integer type.
 *
 * @param bits its width
 */
record IntType(int bits, boolean signed) {
  static final IntType INT = new IntType(32, true);

  private static final Map<String, IntType> KNOWN =
      Map.ofEntries(
          Map.entry("int", INT),
          Map.entry("signed", INT),
          Map.entry("signed int", INT),
          Map.entry("int32_t", INT),
          Map.entry("unsigned", new IntType(32, false)),
          Map.entry("unsigned int", new IntType(32, false)),
          Map.entry("uint", new IntType(32, false)),
          Map.entry("uint32_t", new IntType(32, false)),
          Map.entry("long", new IntType(64, true)),
          Map.entry("long long", new IntType(64, true)),
          Map.entry("long long int", new IntType(64, true)),
          Map.entry("int64_t", new IntType(64, true)),
          Map.entry("unsigned long", new IntType(64, false)),
          Map.entry("unsigned long long", new IntType(64, false)),
          Map.entry("unsigned long long int", new IntType(64, false)),
          Map.entry("uint64_t", new IntType(64, false)),
          Map.entry("size_t", new IntType(64, false)),
          Map.entry("short", new IntType(16, true)),
          Map.entry("int16_t", new IntType(16, true)),
          Map.entry("unsigned short", new IntType(16, false)),
          Map.entry("uint16_t", new IntType(16, false)),
          Map.entry("char", new IntType(8, true)),
          Map.entry("signed char", new IntType(8, true)),
          Map.entry("int8_t", new IntType(8, true)),
          Map.entry("unsigned char", new IntType(8, false)),
          Map.entry("uint8_t", new IntType(8, false)));

  private static final Set<String> QUALIFIERS =
      Set.of("const", "volatile", "__restrict__", "static", "extern", "__shared__");

  /** The type with that spelling, ignoring qualifiers; null for other types. */
  static @Nullable IntType of(String text) {
    IntType known = KNOWN.get(text);
    return known != null ? known : KNOWN.get(bare(text));
  }

  /** The words of a type that determine its width; empty if there is anything but words. */
  private static String bare(String text) {
    StringBuilder words = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      int end = i;
      while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
        end++;
      }
      if (end > i) {
        String word = text.substring(i, end);
        boolean scope = word.equals("std") && text.startsWith("::", end);
        if (!scope && !QUALIFIERS.contains(word)) {
          words.append(words.isEmpty() ? "" : " ").append(word);
        }
        i = scope ? end + 2 : end;
      } else if (c == '*' || c == '&' || Character.isWhitespace(c)) {
        i++;
      } else {
        return "";
      }
    }
    return words.toString();
  }

  /**
   * A warp's result as a value of another type: reductions of the converted results must be the
   * converted reduction.
   *
   * @param to null if it is not known
   */
  static Value convert(Value v, @Nullable IntType to) {
    return switch (v) {
      case Value.Part p when !isKept(p.op(), p.type(), to) -> lost(v);
      case Value.Part p -> new Value.Part(p.op(), p.everywhere(), to == null ? p.type() : to);
      case Value.Parts p when !isKept(p.op(), p.type(), to) -> lost(v);
      case Value.Parts p -> new Value.Parts(p.op(), to == null ? p.type() : to);
      default -> v;
    };
  }

  private static Value lost(Value v) {
    return new Value.Unknown(v.what() + " in a different type");
  }

  private static boolean isKept(Reduction op, @Nullable IntType from, @Nullable IntType to) {
    if (from == null || to == null || from.equals(to)) {
      return true;
    }
    return switch (op) {
      case ADD -> to.bits <= from.bits;
      case MIN, MAX -> to.bits > from.bits && (to.signed || !from.signed);
      case AND, OR, XOR -> true;
    };
  }
}
