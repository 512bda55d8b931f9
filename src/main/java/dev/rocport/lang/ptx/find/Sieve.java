package dev.rocport.lang.ptx.find;

/**
 * Excludes sources that cannot contain PTX in one pass over the bytes, so that only the others are
 * parsed. Looks for {@code asm} and names that end in it, {@code .target sm_90} of a module, and
 * registers of PTX, as {@code %rd1}, {@code %tid} or {@code %0,}; and {@code ba55ed50} or {@code
 * 0x7f} of binaries as numbers.
 */
public final class Sieve {
  private Sieve() {}

  /** False for a file without any of these. */
  public static boolean mayHold(byte[] b) {
    for (int i = 0; i + 2 < b.length; i++) {
      byte c = b[i];
      if (c == 's' ? isAsm(b, i) : c == '%' ? isRegister(b, i) : c == '5' && isNumber(b, i)) {
        return true;
      }
    }
    return false;
  }

  /** True at the {@code sm} of {@code asm(}, {@code __asm__}, {@code InlineAsm}, {@code sm_90}. */
  private static boolean isAsm(byte[] b, int s) {
    if (b[s + 1] != 'm') {
      return false;
    }
    int next = b[s + 2];
    if (next == '_') {
      int at = s - 1;
      while (at > 6 && (b[at] == ' ' || b[at] == '\t')) {
        at--;
      }
      if (at >= 6 && matches(b, at - 6, ".target") && b[at - 6] == '.') {
        return true;
      }
    }
    boolean upper = s > 0 && b[s - 1] == 'A';
    boolean lower = s > 0 && b[s - 1] == 'a' && (s == 1 || !isLetter(b[s - 2]));
    return (upper || lower) && !isLetter(next) && next != '/' && next != '.' && next != '-';
  }

  /** {@code %r1}, {@code %rd1}, {@code %p<}, {@code %tid.x}, {@code %laneid}, {@code %0]}. */
  private static boolean isRegister(byte[] b, int percent) {
    int first = b[percent + 1];
    if (isDigit(first)) {
      int behind = b[percent + 2];
      return behind == ',' || behind == ']' || behind == ';';
    }
    if (first == 'r' || first == 'f' || first == 'p') {
      int at = percent + 2;
      while (at < b.length && isLetter(b[at]) && at < percent + 5) {
        at++;
      }
      return at < b.length && (isDigit(b[at]) || b[at] == '<');
    }
    int second = b[percent + 2];
    return switch (first) {
      case 't' -> second == 'i';
      case 'l' -> second == 'a';
      case 'c' -> second == 't' || second == 'l';
      case 'n' -> second == 't';
      default -> false;
    };
  }

  /** {@code 55ed50} of a fat binary's number; {@code 0x45, 0x4c, 0x46} of an ELF file's bytes. */
  private static boolean isNumber(byte[] b, int at) {
    return matches(b, at, "55ed50")
        || matches(b, at, "55ED50")
        || matches(b, at, "5, 0x4c, 0x46")
        || matches(b, at, "5, 0x4C, 0x46")
        || matches(b, at, "5,0x4c,0x46")
        || matches(b, at, "5,0x4C,0x46");
  }

  private static boolean matches(byte[] b, int at, String word) {
    if (at + word.length() > b.length) {
      return false;
    }
    for (int k = 1; k < word.length(); k++) {
      if (b[at + k] != word.charAt(k)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z';
  }
}
