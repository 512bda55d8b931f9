package dev.rocport.buildsystem.cmake;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A generator expression {@code $<condition:content>}.
 *
 * @param start offset of its dollar sign
 * @param colon offset of the colon between condition and content; -1 if there is none
 * @param end offset after its closing bracket
 */
record Genex(int start, int colon, int end) {
  private static final Pattern CUDA =
      Pattern.compile(
          "\\$<(?:COMPILE_LANGUAGE|LINK_LANGUAGE):CUDA>"
              + "|\\$<(?:COMPILE|LINK)_LANG_AND_ID:CUDA,[\\w,]*NVIDIA[\\w,]*>"
              + "|\\$<CUDA_COMPILER_ID:[\\w,]*NVIDIA[\\w,]*>");

  /** Returns all generator expressions between two offsets, inner ones first. */
  static List<Genex> in(String text, int from, int to) {
    List<Genex> found = new ArrayList<>();
    Deque<int[]> open = new ArrayDeque<>();
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '$' && i + 1 < to && text.charAt(i + 1) == '<') {
        open.push(new int[] {i, -1});
        i++;
      } else if (c == ':' && !open.isEmpty() && open.getFirst()[1] < 0) {
        open.getFirst()[1] = i;
      } else if (c == '>' && !open.isEmpty()) {
        int[] g = open.pop();
        found.add(new Genex(g[0], g[1], i + 1));
      }
    }
    return found;
  }

  /** Returns the spans of contents that only CUDA sources get, outermost ones. */
  static List<int[]> forCuda(String text, int from, int to) {
    List<int[]> contents = new ArrayList<>();
    for (Genex g : in(text, from, to).reversed()) {
      boolean nested = contents.stream().anyMatch(c -> c[0] <= g.start && g.end <= c[1]);
      if (g.colon > 0
          && !nested
          && text.startsWith("$<", g.start + 2)
          && CUDA.matcher(text.substring(g.start + 2, g.colon)).find()) {
        contents.add(new int[] {g.colon + 1, g.end - 1});
      }
    }
    return contents.reversed();
  }
}
