package dev.rocport.warp.ir;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import java.util.List;
import java.util.Set;

/**
 * Counts occurrences of names. A name is stored as a 64-bit hash, since most names are never looked
 * up.
 */
public final class Names {
  private static final long SEED = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;
  private static final int SMALLEST = 16;

  /** Hashes; 0 if the place is free. */
  private long[] keys = new long[SMALLEST];

  private int[] counts = new int[SMALLEST];
  private int used;

  /** Counts the name that these ASCII bytes are. */
  public void add(byte[] bytes, int start, int end) {
    long h = SEED;
    for (int i = start; i < end; i++) {
      h = (h ^ (bytes[i] & 0xff)) * PRIME;
    }
    add(h, 1);
  }

  /** Counts a name {@code n} times; negative numbers take it away. */
  public void add(String name, int n) {
    add(key(name), n);
  }

  /** The same for a name as the parser has it. */
  void add(char[] name, int n) {
    long h = SEED;
    for (char c : name) {
      h = (h ^ (c & 0xff)) * PRIME;
    }
    add(h, n);
  }

  /** Adds the counts of another set of names. */
  public void addAll(Names others) {
    addAll(others, 1);
  }

  /** Takes the counts of another set of names away. */
  public void removeAll(Names others) {
    addAll(others, -1);
  }

  private void addAll(Names others, int times) {
    for (int i = 0; i < others.keys.length; i++) {
      if (others.keys[i] != 0) {
        add(others.keys[i], times * others.counts[i]);
      }
    }
  }

  /** Adds the names, by {@link #key}, that another set of names has more or less often. */
  public void differences(Names other, Set<Long> differing) {
    for (Names names : List.of(this, other)) {
      for (long key : names.keys) {
        if (counts[place(keys, key)] != other.counts[place(other.keys, key)]) {
          differing.add(key);
        }
      }
    }
  }

  /** How often a name is there. */
  public int count(String name) {
    return counts[place(keys, key(name))];
  }

  /** A compact copy without names whose count is zero. */
  public Names packed() {
    Names packed = new Names();
    int left = 0;
    for (int c : counts) {
      left += c != 0 ? 1 : 0;
    }
    packed.resize(Integer.highestOneBit(Math.max(1, left)) * 4);
    for (int i = 0; i < keys.length; i++) {
      if (counts[i] != 0) {
        packed.add(keys[i], counts[i]);
      }
    }
    return packed;
  }

  /** Writes the counts for {@link #read}. */
  public void write(PackedWriter out) {
    out.number(keys.length);
    out.number(used);
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        out.number(i);
        out.bits(keys[i]);
        out.number(counts[i]);
      }
    }
  }

  /** Reads the same counts again. */
  public static Names read(PackedReader in) {
    Names names = new Names();
    names.keys = new long[in.integer()];
    names.counts = new int[names.keys.length];
    names.used = in.integer();
    for (int i = 0; i < names.used; i++) {
      int at = in.integer();
      names.keys[at] = in.bits();
      names.counts[at] = in.integer();
    }
    return names;
  }

  /** Returns what stands for a name. */
  public static long key(String name) {
    long h = SEED;
    for (int i = 0; i < name.length(); i++) {
      h = (h ^ (name.charAt(i) & 0xff)) * PRIME;
    }
    return h == 0 ? 1 : h;
  }

  private void add(long hash, int n) {
    long key = hash == 0 ? 1 : hash;
    int at = place(keys, key);
    if (keys[at] == 0) {
      if (2 * used >= keys.length) {
        resize(2 * keys.length);
        at = place(keys, key);
      }
      keys[at] = key;
      used++;
    }
    counts[at] += n;
  }

  /** The slot of a key, or a free slot for it: there is always one. */
  private static int place(long[] keys, long key) {
    int at = (int) (key ^ (key >>> 32)) & (keys.length - 1);
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & (keys.length - 1);
    }
    return at;
  }

  private void resize(int size) {
    long[] oldKeys = keys;
    int[] oldCounts = counts;
    keys = new long[size];
    counts = new int[size];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = place(keys, oldKeys[i]);
        keys[at] = oldKeys[i];
        counts[at] = oldCounts[i];
      }
    }
  }
}
