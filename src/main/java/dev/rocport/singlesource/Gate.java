package dev.rocport.singlesource;

import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.List;

/**
 * A rocport gate in a file.
 *
 * @param kind the line that opens it
 * @param open its 1-based line
 * @param turn line of the {@code #else}; 0 if there is none
 * @param close line of the {@code #endif}
 * @param noNewline whether the gate added the line end of the last line inside
 */
record Gate(GateLine kind, int open, int turn, int close, boolean noNewline) {
  private static final byte[] MARK = {'/', '*', ' ', 'r', 'o', 'c', 'p', 'o', 'r', 't'};

  /**
   * Returns the gates of a file in order; a line that opens one but is never closed is not a gate.
   */
  static List<Gate> of(SourceFile file) {
    List<Gate> gates = new ArrayList<>();
    if (!mentions(file.bytes())) {
      return gates;
    }
    GateLine kind = GateLine.NONE;
    int open = 0;
    int turn = 0;
    for (int line = 1; line <= file.lines(); line++) {
      int from = line == 1 ? start(file) : file.lineStart(line);
      GateLine here = GateLine.of(file.bytes(), from, file.lineEnd(line));
      if (here.opens()) {
        kind = here;
        open = line;
        turn = 0;
      } else if (open > 0 && here == GateLine.ELSE) {
        turn = line;
      } else if (open > 0 && here.closes()) {
        gates.add(new Gate(kind, open, turn, line, here == GateLine.CLOSE_NO_NEWLINE));
        open = 0;
      }
    }
    return gates;
  }

  /** Returns the offset of the first byte that is text: after a byte order mark. */
  static int start(SourceFile file) {
    return file.encoding() == dev.rocport.core.source.Encoding.UTF8_BOM ? 3 : 0;
  }

  private static boolean mentions(byte[] b) {
    outer:
    for (int i = 0; i + MARK.length <= b.length; i++) {
      for (int k = 0; k < MARK.length; k++) {
        if (b[i + k] != MARK[k]) {
          continue outer;
        }
      }
      return true;
    }
    return false;
  }

  /** Returns the line after the code that only AMD builds compile. */
  int amdEnd() {
    return turn == 0 ? close : turn;
  }

  /** Returns the first line of the original; at or after {@link #close} if there is none. */
  int originalStart() {
    return kind == GateLine.NVIDIA ? open + 1 : turn == 0 ? close : turn + 1;
  }
}
