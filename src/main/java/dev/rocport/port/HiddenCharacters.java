package dev.rocport.port;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;

/**
 * Finds characters that a reader of a source does not see: those that change the order in which a
 * line is shown (CVE-2021-42574), and those without any width. Each line has at most one finding of
 * each rule. Characters that belong to an emoji or join letters of other scripts are left alone.
 */
final class HiddenCharacters {
  private static final String BIDI = "FILE-BIDI";
  private static final String INVISIBLE = "FILE-INVISIBLE";

  private static final int NON_JOINER = 0x200c;
  private static final int JOINER = 0x200d;
  private static final int BLACK_FLAG = 0x1f3f4;

  private HiddenCharacters() {}

  /** Adds findings about a text. */
  static void find(SourceFile file, Changes changes) {
    if (file.encoding() == Encoding.EIGHT_BIT || isAscii(file.bytes())) {
      return;
    }
    for (int line = 1; line <= file.lines(); line++) {
      find(file, line, changes);
    }
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  private static void find(SourceFile file, int line, Changes changes) {
    int at = file.lineStart(line);
    String text = new String(file.bytes(), at, file.lineEnd(line) - at, StandardCharsets.UTF_8);
    boolean foundBidi = false;
    boolean foundInvisible = false;
    int before = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(before)) {
      int c = text.codePointAt(i);
      int end = at + bytes(c);
      boolean isMark = c == 0xfeff && at == 0;
      if (!foundBidi && isBidi(c)) {
        foundBidi = true;
        String what = " changes the order in which this line is shown";
        changes.finding(BIDI, Disposition.REVIEW, at, end, name(c) + what);
      } else if (!foundInvisible && !isMark && isInvisible(c, before)) {
        foundInvisible = true;
        changes.finding(INVISIBLE, Disposition.REVIEW, at, end, name(c) + " is not visible");
      }
      before = c;
      at = end;
    }
  }

  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  private static String name(int codePoint) {
    String name = Character.getName(codePoint);
    return "U+%04X".formatted(codePoint) + (name == null ? "" : " " + name);
  }

  /** Embeddings, overrides and isolates. */
  private static boolean isBidi(int c) {
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  }

  private static boolean isInvisible(int c, int before) {
    return switch (c) {
      case NON_JOINER, JOINER -> before < 0x80;
      // Marks, fillers, spaces without width, and operators.
      case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x200e, 0x200f ->
          true;
      case 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x3164, 0xfeff, 0xffa0 -> true;
      default ->
          (c >= 0x206a && c <= 0x206f)
              || (c >= 0xfff9 && c <= 0xfffb)
              || (isSelector(c) && isLetter(before))
              || (isTag(c) && before != BLACK_FLAG && !isTag(before));
    };
  }

  private static boolean isSelector(int c) {
    return (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
  }

  private static boolean isLetter(int c) {
    return c < 0x80 && (Character.isLetter(c) || c == '_');
  }

  private static boolean isTag(int c) {
    return c >= 0xe0000 && c <= 0xe007f;
  }
}
