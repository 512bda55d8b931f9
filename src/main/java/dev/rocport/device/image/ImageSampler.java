package dev.rocport.device.image;

import dev.rocport.device.isa.Generation;

/**
 * A sampler descriptor (S#): four scalar registers, with the fields of AMD's image runtime.
 *
 * @param clamps what coordinates outside of the image mean, for x, y and z: {@link #WRAP} and up
 * @param anisotropy the logarithm of the greatest ratio
 * @param unnormalized coordinates count texels
 * @param truncates coordinates are not rounded
 * @param least the least level of detail, in 1/256
 * @param most the greatest one
 * @param bias what is added to levels of detail, in 1/256
 * @param magnify the filter for levels of detail up to 0: 0 the nearest texel, 1 linear
 * @param minify the filter for others
 * @param depth the filter along z: 0 that of x and y, 1 the nearest texel, 2 linear
 * @param levels the filter of levels: 0 only the first, 1 the nearest, 2 linear
 * @param border the color outside: 0 transparent black, 1 black, 2 white
 */
public record ImageSampler(
    int[] clamps,
    int anisotropy,
    boolean unnormalized,
    boolean truncates,
    int least,
    int most,
    int bias,
    int magnify,
    int minify,
    int depth,
    int levels,
    int border) {
  /** Clamp modes of AMD's hardware. */
  static final int WRAP = 0;

  static final int MIRROR = 1;
  static final int LAST_TEXEL = 2;
  static final int MIRROR_ONCE_LAST_TEXEL = 3;
  static final int HALF_BORDER = 4;
  static final int MIRROR_ONCE_HALF_BORDER = 5;
  static final int BORDER = 6;
  static final int MIRROR_ONCE_BORDER = 7;

  /** The descriptor in registers from {@code code} up. */
  public static ImageSampler of(int[] s, int code, Generation generation) {
    int zero = s[code];
    int one = s[code + 1];
    int two = s[code + 2];
    boolean rdna4 = generation == Generation.RDNA4;
    int width = rdna4 ? 13 : 12;
    int mask = (1 << width) - 1;
    return new ImageSampler(
        new int[] {zero & 7, zero >>> 3 & 7, zero >>> 6 & 7},
        zero >>> 9 & 7,
        (zero >>> 15 & 1) != 0,
        (zero >>> 27 & 1) != 0,
        one & mask,
        one >>> width & mask,
        two << 18 >> 18,
        two >>> 20 & 3,
        two >>> 22 & 3,
        two >>> 24 & 3,
        two >>> 26 & 3,
        s[code + 3] >>> 30);
  }

  /** The same, or with coordinates that count texels. */
  public ImageSampler counting(boolean texels) {
    return texels && !unnormalized
        ? new ImageSampler(
            clamps,
            anisotropy,
            true,
            truncates,
            least,
            most,
            bias,
            magnify,
            minify,
            depth,
            levels,
            border)
        : this;
  }

  /** Why this device cannot sample with it; empty if it can. */
  public String obstacle() {
    for (int clamp : clamps) {
      if (clamp == HALF_BORDER || clamp == MIRROR_ONCE_HALF_BORDER) {
        return "a clamp to half of the border";
      }
    }
    if (magnify > 1 || minify > 1) {
      return "an anisotropic filter";
    }
    return border > 2 ? "a border color from memory" : levels > 2 ? "a filter of levels" : "";
  }
}
