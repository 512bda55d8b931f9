package dev.rocport.lang.cuda.lex;

import java.util.Arrays;

/**
 * Finds where the launches of a file open and close, in one backward walk: a launch that is never
 * closed ends where the next one ends, so the walk is linear. C++ formatters split chevrons into
 * {@code << <} and {@code >> >}; nvcc accepts them.
 */
public final class Launches {
  private final Tokens t;
  private int[] opens = new int[16];
  private int[] closes = new int[16];
  private int count;

  private Launches(Tokens t) {
    this.t = t;
  }

  public static Launches of(Tokens t) {
    Launches launches = new Launches(t);
    for (int i = t.count() - 1; i >= 0; i--) {
      if (launches.isOpen(i)) {
        launches.add(i, launches.findClose(i + 3));
      }
    }
    return launches;
  }

  /** True if nothing is between the three chevrons that begin at token {@code i}. */
  public static boolean areJoined(Tokens t, int i) {
    return t.touches(i) && t.touches(i + 1);
  }

  /** The name of the kernel that is launched at token {@code open}; -1 if none is there. */
  public static int kernel(Tokens t, int open) {
    int last = open - 1;
    int name = t.is(last, '>') ? Angles.open(t, last) - 1 : last;
    return name >= 0 && t.isIdentifier(name) ? name : -1;
  }

  /** Number of launches; they are numbered from the last in the file to the first. */
  public int count() {
    return count;
  }

  /** Token where {@code <<<} begins. */
  public int open(int n) {
    return opens[n];
  }

  /** Token where the {@code >>>} begins that closes the launch, or -1. */
  public int close(int n) {
    return closes[n];
  }

  private void add(int open, int close) {
    if (count == opens.length) {
      opens = Arrays.copyOf(opens, 2 * count);
      closes = Arrays.copyOf(closes, 2 * count);
    }
    opens[count] = open;
    closes[count] = close;
    count++;
  }

  private boolean isOpen(int i) {
    return t.is(i, '<')
        && t.is(i + 1, '<')
        && t.is(i + 2, '<')
        && !t.is(i - 1, '<')
        && !t.is(i + 3, '<')
        && !t.is(i - 1, "operator");
  }

  private int findClose(int from) {
    int k = from;
    int parted = -1;
    while (k < t.count()) {
      int partner = t.match(k);
      if (partner > k) {
        k = partner + 1;
        continue;
      }
      if (t.is(k, '>') && t.is(k + 1, '>') && t.is(k + 2, '>')) {
        while (t.is(k + 3, '>')) {
          k++; // dim3<..>>>> : the launch ends at the last three
        }
        if (areJoined(t, k)) {
          return k;
        }
        parted = k; // maybe the ends of templates
        k += 2;
      }
      if (t.is(k, ';') || t.is(k, '{') || t.is(k, '}') || t.is(k, ')')) {
        return parted;
      }
      if (isOpen(k)) {
        return parted >= 0 ? parted : closes[find(k)];
      }
      k++;
    }
    return parted;
  }

  /** The position of a launch that was already found. */
  private int find(int open) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (opens[mid] > open) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }
}
