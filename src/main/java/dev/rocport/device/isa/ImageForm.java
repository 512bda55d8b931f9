package dev.rocport.device.isa;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * What an image opcode does and which addresses it takes, as its name says. Registers hold the
 * offset, the bias, the reference, the gradients, the coordinates, and last the level or the clamp
 * of levels, each if the opcode has it (AMD's RDNA3 ISA, "Image Addressing").
 *
 * @param level where the level of detail of a sample comes from
 * @param compares compares texels with a reference before it filters
 * @param offsets adds an offset of texels to the coordinates
 * @param clamps has a least level of detail
 * @param halfGradients gradients have 16 bits, two in a register
 */
public record ImageForm(
    Kind kind,
    Level level,
    boolean compares,
    boolean offsets,
    boolean clamps,
    boolean halfGradients) {

  /** The work of an opcode. */
  public enum Kind {
    LOAD,
    STORE,
    ATOMIC,
    SAMPLE,
    GATHER,
    /** The level of detail that a sample would have. */
    LOD,
    /** Width, height, depth or layers, and levels. */
    SIZE
  }

  /** Where a level of detail comes from. */
  public enum Level {
    /** The differences of coordinates between neighbouring lanes. */
    NEIGHBOURS,
    GIVEN,
    /** That of neighbours, and what is added to it. */
    BIASED,
    ZERO,
    GRADIENTS
  }

  /** Reads the name of an opcode: {@code image_sample_c_d_cl_o_g16}. */
  public static ImageForm of(Opcode opcode) {
    String[] words = opcode.name().split("_", -1);
    Set<String> with = new HashSet<>(Arrays.asList(words).subList(2, words.length));
    Kind kind =
        switch (words[1]) {
          case "load", "msaa" -> Kind.LOAD;
          case "store" -> Kind.STORE;
          case "atomic" -> Kind.ATOMIC;
          case "sample" -> Kind.SAMPLE;
          case "gather4", "gather4h" -> Kind.GATHER;
          default -> opcode.name().equals("image_get_lod") ? Kind.LOD : Kind.SIZE;
        };
    if (kind != Kind.SAMPLE && kind != Kind.GATHER) {
      boolean given = kind == Kind.SIZE || with.contains("mip");
      boolean filtered = kind == Kind.LOD;
      Level level = given ? Level.GIVEN : filtered ? Level.NEIGHBOURS : Level.ZERO;
      return new ImageForm(kind, level, false, false, false, false);
    }
    Level level =
        with.contains("d")
            ? Level.GRADIENTS
            : with.contains("l")
                ? Level.GIVEN
                : with.contains("b")
                    ? Level.BIASED
                    : with.contains("lz") ? Level.ZERO : Level.NEIGHBOURS;
    return new ImageForm(
        kind,
        level,
        with.contains("c"),
        with.contains("o"),
        with.contains("cl"),
        with.contains("g16"));
  }

  /** Whether it has a sampler. */
  public boolean hasSampler() {
    return kind == Kind.SAMPLE || kind == Kind.GATHER || kind == Kind.LOD;
  }

  /** Whether the last address is a level of detail, or the least one. */
  public boolean hasLast() {
    return clamps || level == Level.GIVEN;
  }

  /** Registers before those of the gradients: offset, bias and reference. */
  public int extras() {
    return (offsets ? 1 : 0) + (level == Level.BIASED ? 1 : 0) + (compares ? 1 : 0);
  }

  /** Registers of gradients. */
  public int gradientWords(ImageDim dim) {
    if (level != Level.GRADIENTS) {
      return 0;
    }
    int each = dim.gradients() / 2;
    return halfGradients ? each + each % 2 : dim.gradients();
  }

  /** Coordinates and the level, each of 32 or 16 bits. */
  public int components(ImageDim dim) {
    return (kind == Kind.SIZE ? 0 : dim.coordinates()) + (hasLast() ? 1 : 0);
  }

  /** Registers that hold the addresses of one lane. */
  int words(ImageDim dim, boolean halves) {
    int components = components(dim);
    return extras() + gradientWords(dim) + (halves ? (components + 1) / 2 : components);
  }
}
