package dev.rocport.device.isa;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The formats of texels and of the records of typed buffers on RDNA 3 and 4, which have one
 * numbering. Sources: LLVM's assembler for 0 to 63, AMD's RDNA3 ISA for the others, which images
 * have. Not here are formats of compressed blocks, of depth, and of video.
 *
 * @param number in descriptors and instructions
 * @param name as in assembly, without {@code BUF_FMT_}
 * @param bits of each component, in the order of x, y, z and w, from the lowest bit up
 * @param type of all components
 */
public record TexelFormat(int number, String name, List<Integer> bits, Type type) {

  /** What the bits of a component are. */
  public enum Type {
    /** Integers that stand for numbers from 0 to 1, and from -1 to 1. */
    UNORM,
    SNORM,
    /** Integers that become floats. */
    USCALED,
    SSCALED,
    UINT,
    SINT,
    FLOAT,
    /** From 0 to 1 with the transfer function of sRGB, but for the fourth component. */
    SRGB;

    /** Whether components are integers in registers, too. */
    public boolean isInteger() {
      return this == UINT || this == SINT;
    }
  }

  private static final String[] NAMES =
      """
      INVALID
      8_UNORM 8_SNORM 8_USCALED 8_SSCALED 8_UINT 8_SINT
      16_UNORM 16_SNORM 16_USCALED 16_SSCALED 16_UINT 16_SINT 16_FLOAT
      8_8_UNORM 8_8_SNORM 8_8_USCALED 8_8_SSCALED 8_8_UINT 8_8_SINT
      32_UINT 32_SINT 32_FLOAT
      16_16_UNORM 16_16_SNORM 16_16_USCALED 16_16_SSCALED 16_16_UINT 16_16_SINT 16_16_FLOAT
      10_11_11_FLOAT 11_11_10_FLOAT
      10_10_10_2_UNORM 10_10_10_2_SNORM 10_10_10_2_UINT 10_10_10_2_SINT
      2_10_10_10_UNORM 2_10_10_10_SNORM 2_10_10_10_USCALED 2_10_10_10_SSCALED
      2_10_10_10_UINT 2_10_10_10_SINT
      8_8_8_8_UNORM 8_8_8_8_SNORM 8_8_8_8_USCALED 8_8_8_8_SSCALED 8_8_8_8_UINT 8_8_8_8_SINT
      32_32_UINT 32_32_SINT 32_32_FLOAT
      16_16_16_16_UNORM 16_16_16_16_SNORM 16_16_16_16_USCALED 16_16_16_16_SSCALED
      16_16_16_16_UINT 16_16_16_16_SINT 16_16_16_16_FLOAT
      32_32_32_UINT 32_32_32_SINT 32_32_32_FLOAT
      32_32_32_32_UINT 32_32_32_32_SINT 32_32_32_32_FLOAT
      8_SRGB 8_8_SRGB 8_8_8_8_SRGB
      """
          .strip()
          .split("\\s+");

  private static final List<TexelFormat> ALL = all();

  private static List<TexelFormat> all() {
    List<TexelFormat> formats = new ArrayList<>();
    for (int number = 1; number < NAMES.length; number++) {
      String name = NAMES[number];
      int end = name.lastIndexOf('_');
      List<Integer> bits = new ArrayList<>();
      for (String width : name.substring(0, end).split("_", -1)) {
        bits.addFirst(Integer.parseInt(width)); // names begin with the highest bits
      }
      Type type = Type.valueOf(name.substring(end + 1));
      formats.add(new TexelFormat(number, name, List.copyOf(bits), type));
    }
    return List.copyOf(formats);
  }

  /** The format of a number; empty if it has none. */
  public static Optional<TexelFormat> of(int number) {
    return number > 0 && number <= ALL.size() ? Optional.of(ALL.get(number - 1)) : Optional.empty();
  }

  /** Bytes of a texel. */
  public int bytes() {
    return bits.stream().mapToInt(Integer::intValue).sum() / 8;
  }

  /** As an instruction on a typed buffer names it; formats of images have only numbers there. */
  static String text(int number) {
    return number < 64 ? "[BUF_FMT_" + NAMES[number] + "]" : Integer.toString(number);
  }
}
