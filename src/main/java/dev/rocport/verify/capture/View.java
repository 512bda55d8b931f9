package dev.rocport.verify.capture;

import dev.rocport.verify.tensor.ElementType;
import java.util.List;

/**
 * A tensor in a buffer.
 *
 * @param buffer number of the buffer
 * @param offset of the first element, in bytes
 * @param type of the elements
 * @param size elements in each dimension; empty for a scalar
 * @param stride elements from one index to the next, in each dimension; not negative
 */
public record View(int buffer, long offset, ElementType type, List<Long> size, List<Long> stride) {
  public View {
    size = List.copyOf(size);
    stride = List.copyOf(stride);
  }

  /** Number of elements. */
  public long count() {
    return size.stream().reduce(1L, Math::multiplyExact);
  }

  /** Bytes of the elements without gaps. */
  public long bytes() {
    return Math.multiplyExact(count(), (long) type.bytes());
  }

  /** The end of the last element in the buffer, in bytes. */
  long end() {
    if (count() == 0) {
      return offset;
    }
    long last = 0;
    for (int d = 0; d < size.size(); d++) {
      last = Math.addExact(last, Math.multiplyExact(size.get(d) - 1, stride.get(d)));
    }
    return Math.addExact(offset, Math.multiplyExact(last + 1, (long) type.bytes()));
  }

  /** Whether the elements lie in the order of their indices without gaps. */
  boolean isContiguous() {
    long expected = 1;
    for (int d = size.size() - 1; d >= 0; d--) {
      if (size.get(d) != 1 && stride.get(d) != expected) {
        return false;
      }
      expected *= size.get(d);
    }
    return true;
  }

  /** The same elements in order and without gaps at the start of another buffer. */
  View packed(int other) {
    Long[] strides = new Long[size.size()];
    long next = 1;
    for (int d = size.size() - 1; d >= 0; d--) {
      strides[d] = next;
      next *= Math.max(1, size.get(d));
    }
    return new View(other, 0, type, size, List.of(strides));
  }
}
