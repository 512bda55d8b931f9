package dev.rocport.device.nativecode;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Memory of a function that belongs to no wave: words for one instruction, and constants. */
final class Workspace {
  private int words;
  private int slots;
  private final Map<String, String> tables = new LinkedHashMap<>();
  private final Set<String> functions = new LinkedHashSet<>();

  /** The address of so many words of 32 bits, undefined at the start of an instruction. */
  String words(int count) {
    words = Math.max(words, count);
    return "%room";
  }

  /** The address of an i64 that is 0 at the start of the function, and nobody else's. */
  String slot() {
    return "%slot" + slots++;
  }

  /** The address of constants, an array of i32. */
  String table(int... values) {
    String all = Arrays.stream(values).mapToObj(v -> "i32 " + v).collect(Collectors.joining(", "));
    return tables.computeIfAbsent(
        "[%d x i32] [%s]".formatted(values.length, all), t -> "@table" + tables.size());
  }

  /** Adds functions to the module. */
  void needs(String text) {
    functions.add(text);
  }

  /** Constants and functions, for the beginning of a module. */
  String globals() {
    return tables.entrySet().stream()
            .map(t -> t.getValue() + " = private constant " + t.getKey() + "\n")
            .collect(Collectors.joining())
        + String.join("", functions);
  }

  /** The words and slots, for the beginning of a function. */
  String locals() {
    StringBuilder text = new StringBuilder();
    if (words > 0) {
      text.append("  %room = alloca [").append(words).append(" x i32], align 64\n");
    }
    for (int slot = 0; slot < slots; slot++) {
      text.append("  %slot").append(slot).append(" = alloca i64\n");
      text.append("  store i64 0, ptr %slot").append(slot).append('\n');
    }
    return text.toString();
  }
}
