package dev.rocport.lang.ptx.find;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A whole PTX module.
 *
 * @param version of PTX, as {@code 8.3}
 * @param target as {@code sm_90a}
 * @param bits 32 or 64; 0 if it does not specify them
 * @param at its offset in the text
 * @param entries names of its kernels, in order
 * @param functions number of its other functions with a body or without
 * @param uses its instructions by opcode and qualifiers, in order of their first
 */
record Module(
    String version,
    String target,
    int bits,
    int at,
    List<String> entries,
    int functions,
    Map<String, Use> uses) {
  private static final Pattern HEAD =
      Pattern.compile("\\.version\\s+(\\d+\\.\\d+)\\s*\\.target\\s+([a-z]+_\\w+)[^\\n]*");

  private static final Pattern COMMENTS = Pattern.compile("//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern BITS = Pattern.compile("\\.address_size\\s+(32|64)");
  private static final int NEAR = 4096;

  /**
   * How often an instruction is used.
   *
   * @param count number of times
   * @param first its first occurrence
   * @param end after that
   * @param text it with its operands, as it is there
   */
  record Use(int count, int first, int end, String text) {
    Use again() {
      return new Use(count + 1, first, end, text);
    }
  }

  int instructions() {
    return uses.values().stream().mapToInt(Use::count).sum();
  }

  /** The module that a text holds, or null. */
  static @Nullable Module of(String text) {
    int at = text.indexOf(".version");
    if (at < 0) {
      return null;
    }
    String near = text.substring(at, Math.min(text.length(), at + NEAR));
    Matcher head = HEAD.matcher(COMMENTS.matcher(near).replaceAll(" "));
    if (!head.lookingAt()) {
      return null;
    }
    Matcher bits = BITS.matcher(near);
    List<String> entries = new ArrayList<>();
    int functions = 0;
    Map<String, Use> uses = new LinkedHashMap<>();
    Statements all = new Statements(text.substring(at));
    while (all.next()) {
      switch (all.kind()) {
        case ENTRY -> entries.add(all.name());
        case FUNCTION -> functions++;
        case INSTRUCTION -> {
          Use before = uses.get(all.name());
          uses.put(
              all.name(),
              before != null
                  ? before.again()
                  : new Use(
                      1,
                      at + all.start(),
                      at + all.end(),
                      text.substring(at + all.nameStart(), at + all.end())));
        }
        case DIRECTIVE -> {}
      }
    }
    return new Module(
        head.group(1),
        head.group(2),
        bits.find() ? Integer.parseInt(bits.group(1)) : 0,
        at,
        entries,
        functions,
        uses);
  }
}
