package dev.rocport.lang.cuda.lex;

import dev.rocport.core.source.SourceFile;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one file. Comments and white space are the gaps between tokens, so the file can be
 * reproduced byte by byte. Punctuation tokens are one byte, except {@code ::} and {@code ->}.
 *
 * <p>Indexes run from 0 to {@link #count}; the methods accept any index and return {@link #END} or
 * false outside this range.
 */
public final class Tokens {
  public static final byte END = 0;
  public static final byte IDENTIFIER = 1;
  public static final byte NUMBER = 2;
  public static final byte STRING = 3;
  public static final byte CHARACTER = 4;
  public static final byte PUNCTUATION = 5;

  /** The {@code <...>} of an include directive. */
  public static final byte HEADER = 6;

  /** The token is in a preprocessor directive. */
  static final byte IN_DIRECTIVE = 1;

  /** A line splice is inside the token. */
  static final byte SPLICED = 2;

  /** A raw string literal. */
  static final byte RAW = 4;

  private final SourceFile file;
  private final int count;
  private final byte[] kinds;
  private final byte[] flags;
  private final int[] starts;
  private final int[] ends;
  private final int[] hashes;
  private final int[] comments;
  private final List<Directive> directives;
  private final List<Problem> problems;
  private int[] matches = {};

  /** Those of identifiers; null until somebody asks. */
  private @Nullable HashSieve sieve;

  /** Something that the lexer could not make sense of. */
  public record Problem(int offset, String message) {}

  Tokens(
      SourceFile file,
      int count,
      byte[] kinds,
      byte[] flags,
      int[] starts,
      int[] ends,
      int[] hashes,
      int[] comments,
      List<Directive> directives,
      List<Problem> problems) {
    this.file = file;
    this.count = count;
    this.kinds = kinds;
    this.flags = flags;
    this.starts = starts;
    this.ends = ends;
    this.hashes = hashes;
    this.comments = comments;
    this.directives = directives;
    this.problems = problems;
  }

  public SourceFile file() {
    return file;
  }

  public int count() {
    return count;
  }

  public byte kind(int i) {
    return i >= 0 && i < count ? kinds[i] : END;
  }

  /** The path in an include directive; empty if a macro names the header, or nothing does. */
  public String included(Directive d) {
    byte kind = d.body() < d.last() ? kind(d.body()) : END;
    String text = kind == HEADER || kind == STRING ? text(d.body()) : "";
    return text.length() > 2 ? text.substring(1, text.length() - 1) : "";
  }

  /** Offset of the first byte; the file's length after the last token. */
  public int start(int i) {
    return i < count ? starts[i] : file.length();
  }

  /** Offset after the last byte. */
  public int end(int i) {
    return i < count ? ends[i] : file.length();
  }

  /** The hash code of an identifier's text, 0 for other tokens. */
  public int hash(int i) {
    return hashes[i];
  }

  public boolean inDirective(int i) {
    return i >= 0 && i < count && (flags[i] & IN_DIRECTIVE) != 0;
  }

  public boolean isSpliced(int i) {
    return (flags[i] & SPLICED) != 0;
  }

  public boolean isRawString(int i) {
    return kind(i) == STRING && (flags[i] & RAW) != 0;
  }

  public boolean isIdentifier(int i) {
    return kind(i) == IDENTIFIER;
  }

  /** True if two tokens are the same identifier; different ones can have the same hash. */
  public boolean isSame(int i, int k) {
    return isIdentifier(i) && isIdentifier(k) && hashes[i] == hashes[k] && text(i).equals(text(k));
  }

  /** True if token {@code i} is the punctuation {@code c}. */
  public boolean is(int i, char c) {
    return i >= 0
        && i < count
        && kinds[i] == PUNCTUATION
        && ends[i] - starts[i] == 1
        && file.bytes()[starts[i]] == c;
  }

  /** True if token {@code i} is {@code ::} or {@code ->}. */
  public boolean isPair(int i, char first) {
    return i >= 0
        && i < count
        && kinds[i] == PUNCTUATION
        && ends[i] - starts[i] == 2
        && file.bytes()[starts[i]] == first;
  }

  /** True if token {@code i} has exactly this text. */
  public boolean is(int i, String text) {
    return i >= 0 && i < count && ends[i] - starts[i] == text.length() && begins(i, text);
  }

  /** True if the text of token {@code i} begins with this. */
  public boolean begins(int i, String prefix) {
    if (i < 0 || i >= count || ends[i] - starts[i] < prefix.length()) {
      return false;
    }
    byte[] bytes = file.bytes();
    for (int k = 0; k < prefix.length(); k++) {
      if (bytes[starts[i] + k] != prefix.charAt(k)) {
        return false;
      }
    }
    return true;
  }

  /** True if some token is this identifier. Mostly answered without looking at the tokens. */
  public boolean mentions(String identifier) {
    HashSieve known = sieve;
    if (known == null) {
      known = new HashSieve(1 << 10);
      for (int h : hashes) {
        known.add(h);
      }
      sieve = known;
    }
    int hash = hash(identifier);
    if (!known.mayHold(hash)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (hashes[i] == hash && kinds[i] == IDENTIFIER && text(i).equals(identifier)) {
        return true;
      }
    }
    return false;
  }

  /** True if some token is one of these identifiers. */
  public boolean mentions(Collection<String> identifiers) {
    for (String identifier : identifiers) {
      if (mentions(identifier)) {
        return true;
      }
    }
    return false;
  }

  /** True if tokens {@code i} and {@code i + 1} touch. */
  public boolean touches(int i) {
    return i >= 0 && i + 1 < count && ends[i] == starts[i + 1];
  }

  /** Text of a token, line splices taken out. */
  public String text(int i) {
    return isSpliced(i) ? text(file, starts[i], ends[i]) : file.text(starts[i], ends[i]);
  }

  /** Text of a part of a file, line splices taken out. */
  static String text(SourceFile file, int start, int end) {
    return file.text(start, end).replace("\\\r\n", "").replace("\\\n", "");
  }

  /** Original text from the start of one token to the end of another. */
  public String text(int first, int last) {
    return file.text(starts[first], ends[last]);
  }

  /**
   * Index of the bracket that belongs to the bracket at {@code i}, or -1. Round, square and curly
   * brackets only; brackets inside one directive belong together and to no other.
   */
  public int match(int i) {
    if (matches.length == 0 && count > 0) {
      matches = Brackets.match(this);
    }
    return i >= 0 && i < count ? matches[i] : -1;
  }

  /** The token after this one, or after the brackets that open at it. */
  public int after(int i) {
    return Math.max(i, match(i)) + 1;
  }

  /** The token before this one, or before the brackets that close at it. */
  public int before(int i) {
    int open = match(i);
    return open >= 0 && open < i ? open - 1 : i - 1;
  }

  /** The preprocessor directives in order. */
  public List<Directive> directives() {
    return directives;
  }

  /** The directive that token {@code i} is in, or -1. */
  public int directiveOf(int i) {
    if (!inDirective(i)) {
      return -1;
    }
    int lo = 0;
    int hi = directives.size() - 1;
    while (lo < hi) {
      int mid = (lo + hi + 1) >>> 1;
      if (directives.get(mid).first() <= i) {
        lo = mid;
      } else {
        hi = mid - 1;
      }
    }
    return lo;
  }

  /** First token whose start is at or after {@code offset}. */
  public int at(int offset) {
    int at = Arrays.binarySearch(starts, 0, count, offset);
    return at >= 0 ? at : -at - 1;
  }

  public int commentCount() {
    return comments.length / 2;
  }

  public int commentStart(int i) {
    return comments[2 * i];
  }

  public int commentEnd(int i) {
    return comments[2 * i + 1];
  }

  public List<Problem> problems() {
    return problems;
  }

  /** The hash that {@link #hash} gives for a name. */
  public static int hash(String name) {
    return name.hashCode();
  }
}
