package dev.rocport.warp;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.warp.ir.Names;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The files, by their numbers, that have something to do with a name. A name is stored as its
 * {@linkplain Names#key key}. Immutable.
 */
final class Postings {
  private static final int[] NONE = {};

  /** In order. */
  private final long[] keys;

  /** The place in {@code files} of the first file of each key, and of the end. */
  private final int[] starts;

  private final int[] files;

  private Postings(long[] keys, int[] starts, int[] files) {
    this.keys = keys;
    this.starts = starts;
    this.files = files;
  }

  /** Collects files by name. */
  static final class Builder {
    private final Map<Long, int[]> lists = new HashMap<>();

    /** Adds a file; the files come in order. */
    void add(Collection<String> names, int file) {
      names.forEach(n -> add(Names.key(n), file));
    }

    /** The same for a name by its key. */
    void add(long key, int file) {
      // The first number is how many follow.
      int[] list = lists.computeIfAbsent(key, k -> new int[2]);
      if (list[0] > 0 && list[list[0]] == file) {
        return;
      }
      if (list[0] + 1 == list.length) {
        list = Arrays.copyOf(list, 2 * list.length);
        lists.put(key, list);
      }
      list[++list[0]] = file;
    }

    Postings build() {
      long[] keys = lists.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
      int[] starts = new int[keys.length + 1];
      for (int i = 0; i < keys.length; i++) {
        starts[i + 1] = starts[i] + lists.getOrDefault(keys[i], NONE)[0];
      }
      int[] files = new int[starts[keys.length]];
      for (int i = 0; i < keys.length; i++) {
        System.arraycopy(
            lists.getOrDefault(keys[i], NONE), 1, files, starts[i], starts[i + 1] - starts[i]);
      }
      return new Postings(keys, starts, files);
    }
  }

  int[] of(String name) {
    return of(Names.key(name));
  }

  /** Returns the files of a name by its key. */
  int[] of(long key) {
    int at = Arrays.binarySearch(keys, key);
    return at < 0 ? NONE : Arrays.copyOfRange(files, starts[at], starts[at + 1]);
  }

  void write(PackedWriter out) {
    out.number(keys.length);
    for (int i = 0; i < keys.length; i++) {
      out.bits(keys[i]);
      out.number(starts[i + 1] - starts[i]);
      int before = 0;
      for (int k = starts[i]; k < starts[i + 1]; k++) {
        out.number(files[k] - before);
        before = files[k];
      }
    }
    out.number(files.length);
  }

  static Postings read(PackedReader in) {
    int count = in.count();
    long[] keys = new long[count];
    int[] starts = new int[count + 1];
    int[] files = new int[count];
    for (int i = 0; i < count; i++) {
      keys[i] = in.bits();
      starts[i + 1] = starts[i] + in.count();
      if (files.length < starts[i + 1]) {
        files = Arrays.copyOf(files, 2 * starts[i + 1]);
      }
      int before = 0;
      for (int k = starts[i]; k < starts[i + 1]; k++) {
        before += in.integer();
        files[k] = before;
      }
    }
    return new Postings(keys, starts, Arrays.copyOf(files, in.integer()));
  }
}
