package dev.rocport.verify.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A tensor, row by row.
 *
 * @param name within its file
 * @param shape elements in each dimension; empty for a scalar
 * @param data the elements, little-endian, without gaps
 */
public record Tensor(String name, ElementType type, List<Long> shape, MemorySegment data) {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  public Tensor {
    shape = List.copyOf(shape);
  }

  /** Number of elements. */
  public long count() {
    return data.byteSize() / type.bytes();
  }

  /** The bit pattern of an element, in the low bits. */
  public long bits(long index) {
    return switch (type.bytes()) {
      case 1 -> data.get(ValueLayout.JAVA_BYTE, index) & 0xffL;
      case 2 -> data.get(SHORT, index * 2) & 0xffffL;
      case 4 -> data.get(INT, index * 4) & 0xffff_ffffL;
      default -> data.get(LONG, index * 8);
    };
  }

  public double value(long index) {
    return type.value(bits(index));
  }

  /** {@code [2, 3]}. */
  public String shapeText() {
    return shapeText(shape);
  }

  static String shapeText(List<Long> shape) {
    return shape.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
  }

  /** The place of an element: {@code [1, 0]}. */
  public String place(long index) {
    Long[] at = new Long[shape.size()];
    long rest = index;
    for (int d = shape.size() - 1; d >= 0; d--) {
      at[d] = rest % shape.get(d);
      rest /= shape.get(d);
    }
    return shapeText(List.of(at));
  }
}
