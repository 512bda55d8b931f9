package dev.rocport.device.image;

import dev.rocport.device.isa.Generation;

/**
 * An image descriptor (T#): eight scalar registers. The fields are those of AMD's image runtime and
 * of the functions of ROCm's device libraries that read them; RDNA 4 has wider ones in other
 * places.
 *
 * <p>Texels lie in rows without gaps, rows in planes, planes in levels, from the largest level to
 * the smallest one. Each level begins at a multiple of 256 bytes. {@code hip-runtime} allocates
 * images that way; those that GPUs arrange in tiles are not supported.
 *
 * @param base the address of the first texel
 * @param format the number of the format
 * @param width of level 0, in texels
 * @param height of level 0
 * @param last the last plane of a volume or of the visible layers
 * @param first the first visible layer
 * @param pitch texels from row to row of an image of one plane
 * @param select what the components of results are, in four fields of three bits
 * @param type 8 to 13: of one, two and three dimensions, cubes, arrays of one and two
 * @param tiling 0 for rows
 * @param baseLevel the first visible level
 * @param lastLevel the last visible one
 * @param levels how many there are in memory
 */
public record ImageResource(
    long base,
    int format,
    int width,
    int height,
    int last,
    int first,
    int pitch,
    int select,
    int type,
    int tiling,
    int baseLevel,
    int lastLevel,
    int levels) {
  private static final int VOLUME = 10;
  private static final int FIRST_TYPE = 8;
  private static final int LAST_TYPE = 13;
  private static final int ALIGNMENT = 256;

  /** The descriptor in registers from {@code code} up. */
  public static ImageResource of(int[] s, int code, Generation generation) {
    long base = ((s[code] & 0xffffffffL) | (s[code + 1] & 0xffL) << 32) << 8;
    int one = s[code + 1];
    int two = s[code + 2];
    int three = s[code + 3];
    int four = s[code + 4];
    boolean rdna4 = generation == Generation.RDNA4;
    return new ImageResource(
        base,
        rdna4 ? field(one, 17, 8) : field(one, 20, 8),
        (one >>> 30 | field(two, 0, rdna4 ? 14 : 12) << 2) + 1,
        field(two, 14, rdna4 ? 16 : 14) + 1,
        field(four, 0, rdna4 ? 14 : 13),
        field(four, 16, rdna4 ? 14 : 13),
        field(four, 0, rdna4 ? 16 : 14) + 1,
        field(three, 0, 12),
        three >>> 28,
        field(three, 20, 5),
        rdna4 ? field(one, 25, 5) : field(three, 12, 4),
        rdna4 ? field(three, 15, 5) : field(three, 16, 4),
        (rdna4 ? field(one, 12, 5) : field(one, 16, 4)) + 1);
  }

  private static int field(int word, int low, int width) {
    return word >>> low & (1 << width) - 1;
  }

  /** Whether it is of a type and arrangement that this device has. */
  public boolean isSupported() {
    return type >= FIRST_TYPE && type <= LAST_TYPE && tiling == 0 && lastLevel < levels;
  }

  /** Whether it has planes in its depth, which shrink from level to level. */
  public boolean isVolume() {
    return type == VOLUME;
  }

  /** Whether it has layers, or the faces of cubes. */
  public boolean hasLayers() {
    return type > VOLUME;
  }

  /** Texels in a row of a level, counted from the largest in memory. */
  public int width(int level) {
    return Math.max(1, width >> level);
  }

  /** Rows of a level; an image of one dimension has one. */
  public int height(int level) {
    boolean flat = type == FIRST_TYPE || type == LAST_TYPE - 1;
    return flat ? 1 : Math.max(1, height >> level);
  }

  /** Planes of a level of a volume, or visible layers. */
  public int depth(int level) {
    return isVolume() ? Math.max(1, (last + 1) >> level) : hasLayers() ? last - first + 1 : 1;
  }

  /**
   * The address of a texel.
   *
   * @param level counted from the largest in memory
   * @param z the plane, or the layer from the first visible one on
   * @param bytes of a texel
   */
  public long address(int level, int x, int y, int z, int bytes) {
    boolean onePlane = !isVolume() && !hasLayers() && levels == 1;
    if (onePlane) {
      return base + ((long) y * pitch + x) * bytes;
    }
    long before = 0;
    for (int l = 0; l < level; l++) {
      long size = (long) width(l) * height(l) * planes(l) * bytes;
      before += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    long row = (hasLayers() ? z + first : z) * (long) height(level) + y;
    return base + before + (row * width(level) + x) * bytes;
  }

  /** Planes of a level in memory. */
  private int planes(int level) {
    return isVolume() ? depth(level) : hasLayers() ? last + 1 : 1;
  }
}
