package dev.rocport.warp.ir;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A set of names, as {@link Names} stores them. Immutable. */
public final class NameSet {
  public static final NameSet EMPTY = new NameSet(new long[0]);

  /** In order. */
  private final long[] keys;

  private NameSet(long[] keys) {
    this.keys = keys;
  }

  public static NameSet of(Collection<String> names) {
    return ofKeys(names.stream().map(Names::key).toList());
  }

  /** Returns the set of the names that these {@linkplain Names#key keys} stand for. */
  public static NameSet ofKeys(Collection<Long> keys) {
    return keys.isEmpty()
        ? EMPTY
        : new NameSet(keys.stream().mapToLong(Long::longValue).sorted().distinct().toArray());
  }

  /** Returns the names that are in one of these sets. */
  public static NameSet union(Collection<NameSet> sets) {
    return new NameSet(
        sets.stream().flatMapToLong(s -> Arrays.stream(s.keys)).sorted().distinct().toArray());
  }

  public boolean contains(String name) {
    return Arrays.binarySearch(keys, Names.key(name)) >= 0;
  }

  /** Returns the {@linkplain Names#key keys} of the names, in order. */
  public List<Long> keys() {
    return Arrays.stream(keys).boxed().toList();
  }

  /** Writes the set for {@link #read}. */
  public void write(PackedWriter out) {
    out.number(keys.length);
    for (long key : keys) {
      out.bits(key);
    }
  }

  /** Reads the same set again. */
  public static NameSet read(PackedReader in) {
    long[] keys = new long[in.count()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = in.bits();
    }
    return new NameSet(keys);
  }

  /** Returns whether a name is in both sets. */
  public boolean meets(NameSet other) {
    if (keys.length > other.keys.length) {
      return other.meets(this);
    }
    for (long key : keys) {
      if (Arrays.binarySearch(other.keys, key) >= 0) {
        return true;
      }
    }
    return false;
  }
}
