package dev.rocport.device.image;

import dev.rocport.device.isa.ImageDim;
import java.util.Arrays;

/**
 * Samples an image. AMD documents formats and modes, but no arithmetic of filters. Here, a
 * coordinate in texels is rounded to the nearest 1/256, up in the middle, so weights have 8 bits of
 * fraction, as in CUDA; the nearest texel is the one that the rounded coordinate lies in. Sums have
 * double precision and are rounded once, to a float. Cube maps are filtered within a face.
 */
public final class Sampling {
  private static final int FRACTION = 8;
  private static final int ONE = 1 << FRACTION;
  private static final double FARTHEST = 1 << 24;

  private static final int OUTSIDE = -1;

  private final ImageResource image;
  private final ImageSampler sampler;
  private final TexelCodec codec;
  private final ImageDim dim;
  private final Texels texels;
  private final int[] texel = new int[4];

  /** Reads texels. */
  public interface Texels {
    /**
     * Loads the four components of a texel.
     *
     * @param address of the texel
     */
    void load(long address, int[] into);
  }

  /**
   * A sampler of an image.
   *
   * @param dim what the coordinates of the instruction are
   */
  public Sampling(
      ImageResource image, ImageSampler sampler, TexelCodec codec, ImageDim dim, Texels texels) {
    this.image = image;
    this.sampler = sampler;
    this.codec = codec;
    this.dim = dim;
    this.texels = texels;
  }

  /** Indices along one axis, {@link #OUTSIDE} for the border, and the weight of the second. */
  private record Tap(int first, int second, int weight) {}

  /**
   * A sample.
   *
   * @param at coordinates, as many as the shape has
   * @param detail the level of detail, before the limits of the sampler
   * @param into receives four components of texels, before the descriptor selects from them
   */
  public void sample(float[] at, double detail, int[] into) {
    double limited = Math.min(Math.max(detail * ONE, sampler.least()), sampler.most());
    boolean linear = (limited <= 0 ? sampler.magnify() : sampler.minify()) == 1;
    int count = image.lastLevel() - image.baseLevel();
    double level = sampler.levels() == 0 ? 0 : Math.min(limited / ONE, count);
    if (sampler.levels() != 2) {
      plane(at, (int) Math.floor(level + 0.5), linear, sums(ONE));
    } else {
      int first = (int) Math.floor(level);
      int weight = (int) Math.floor((level - first) * ONE + 0.5);
      plane(at, first, linear, sums(ONE - weight));
      if (weight != 0) {
        plane(at, first + 1, linear, weight);
      }
    }
    finish(into);
  }

  private final double[] sums = new double[4];
  private boolean any;

  /** Begins a sum; returns the weight of its first part. */
  private int sums(int weight) {
    Arrays.fill(sums, 0);
    any = false;
    return weight;
  }

  private void finish(int[] into) {
    boolean integers = codec.format().type().isInteger();
    for (int c = 0; c < into.length; c++) {
      into[c] = integers ? texel[c] : Float.floatToRawIntBits((float) sums[c]);
    }
  }

  /** Adds a level's sample with a weight, in 1/256. */
  private void plane(float[] at, int level, boolean linear, int weight) {
    int size = image.baseLevel() + level;
    boolean filters = linear && !codec.format().type().isInteger();
    Tap x = tap(at[0], image.width(size), 0, filters);
    Tap y = dim.axes() > 1 ? tap(at[1], image.height(size), 1, filters) : new Tap(0, 0, 0);
    Tap z;
    if (dim == ImageDim.D3) {
      boolean alongZ = sampler.depth() == 0 ? filters : filters && sampler.depth() == 2;
      z = tap(at[2], image.depth(size), 2, alongZ);
    } else {
      int layer = layer(at);
      z = new Tap(layer, layer, 0);
    }
    for (int corner = 0; corner < 8; corner++) {
      long part =
          (long) weight(x, corner & 1) * weight(y, corner >> 1 & 1) * weight(z, corner >> 2);
      if (part != 0) {
        load(
            size,
            (corner & 1) == 0 ? x.first : x.second,
            (corner & 2) == 0 ? y.first : y.second,
            (corner & 4) == 0 ? z.first : z.second);
        add((double) part * weight / ((double) ONE * ONE * ONE * ONE));
      }
    }
  }

  private static int weight(Tap tap, int which) {
    return which == 0 ? ONE - tap.weight : tap.weight;
  }

  private void add(double weight) {
    for (int c = 0; c < sums.length; c++) {
      double part = Float.intBitsToFloat(texel[c]) * weight;
      // A negative zero stays one.
      sums[c] = any ? sums[c] + part : part;
    }
    any = true;
  }

  /** The layer or face that the last coordinate names. */
  private int layer(float[] at) {
    if (dim.coordinates() == dim.axes() || !image.hasLayers()) {
      return 0;
    }
    double number = Math.rint(at[dim.axes()]);
    int layer = Double.isNaN(number) ? 0 : (int) Math.clamp(number, 0, 1 << 20);
    int slice = dim == ImageDim.CUBE ? layer / 8 * 6 + layer % 8 : layer;
    return Math.min(slice, image.depth(0) - 1);
  }

  /** The texels beside a coordinate. */
  private Tap tap(float coordinate, int size, int axis, boolean linear) {
    double texels = sampler.unnormalized() ? coordinate : (double) coordinate * size;
    if (Double.isNaN(texels)) {
      texels = 0;
    }
    int clamp = sampler.clamps()[axis];
    double near =
        clamp == ImageSampler.WRAP || clamp == ImageSampler.MIRROR
            ? Double.isInfinite(texels) ? 0 : texels % (2.0 * size)
            : Math.clamp(texels, -FARTHEST, FARTHEST);
    double steps = near * ONE;
    int fixed = (int) Math.floor(sampler.truncates() && !linear ? steps : steps + 0.5);
    if (!linear) {
      int index = inRange(fixed >> FRACTION, size, clamp);
      return new Tap(index, index, 0);
    }
    int moved = fixed - ONE / 2;
    int index = moved >> FRACTION;
    return new Tap(inRange(index, size, clamp), inRange(index + 1, size, clamp), moved & ONE - 1);
  }

  private static int inRange(int index, int size, int clamp) {
    int once = index < 0 ? -1 - index : index;
    return switch (clamp) {
      case ImageSampler.WRAP -> Math.floorMod(index, size);
      case ImageSampler.MIRROR -> {
        int both = Math.floorMod(index, 2 * size);
        yield both < size ? both : 2 * size - 1 - both;
      }
      case ImageSampler.LAST_TEXEL -> Math.clamp(index, 0, size - 1);
      case ImageSampler.MIRROR_ONCE_LAST_TEXEL -> Math.min(once, size - 1);
      case ImageSampler.BORDER -> index < 0 || index >= size ? OUTSIDE : index;
      case ImageSampler.MIRROR_ONCE_BORDER -> once >= size ? OUTSIDE : once;
      default -> throw new IllegalStateException("clamp mode " + clamp);
    };
  }

  private void load(int level, int x, int y, int z) {
    if (x == OUTSIDE || y == OUTSIDE || z == OUTSIDE) {
      boolean white = sampler.border() == 2;
      for (int c = 0; c < 4; c++) {
        texel[c] = white || (c == 3 && sampler.border() == 1) ? codec.one() : 0;
      }
    } else {
      texels.load(image.address(level, x, y, z, codec.format().bytes()), texel);
    }
  }

  /**
   * The four texels that a linear filter would mix, of one component: lower left, lower right,
   * upper right, upper left.
   *
   * @param component before the descriptor selects; negative for the constant 0, 4 for 1
   */
  public void gather(float[] at, double detail, int component, int[] into) {
    int count = image.lastLevel() - image.baseLevel();
    int level =
        image.baseLevel()
            + (sampler.levels() == 0
                ? 0
                : (int) Math.min(Math.max(Math.floor(detail + 0.5), 0), count));
    Tap x = tap(at[0], image.width(level), 0, true);
    Tap y = tap(at[1], image.height(level), 1, true);
    int layer = layer(at);
    for (int i = 0; i < 4; i++) {
      load(level, i == 1 || i == 2 ? x.second : x.first, i < 2 ? y.second : y.first, layer);
      into[i] = component < 0 ? 0 : component > 3 ? codec.one() : texel[component];
    }
  }

  /**
   * The level of detail of gradients: the logarithm of the longer one, in texels of the first
   * level, and the bias of the sampler. GPUs approximate it.
   *
   * @param gradients in x of the screen for each axis, then in y
   */
  public double detail(float[] gradients) {
    int axes = dim.axes();
    double longest = 0;
    for (int direction = 0; direction < 2; direction++) {
      double sum = 0;
      for (int a = 0; a < axes; a++) {
        int level = image.baseLevel();
        int size = a == 0 ? image.width(level) : a == 1 ? image.height(level) : image.depth(level);
        double step = gradients[direction * axes + a] * (sampler.unnormalized() ? 1.0 : size);
        sum += step * step;
      }
      longest = Math.max(longest, sum);
    }
    double logarithm = longest > 0 ? Math.log(longest) / (2 * Math.log(2)) : -126;
    return logarithm + sampler.bias() / 256.0;
  }

  /** Whether all levels of detail give the same sample. */
  public boolean ignoresDetail() {
    boolean oneLevel = sampler.levels() == 0 || image.lastLevel() == image.baseLevel();
    return oneLevel && sampler.magnify() == sampler.minify();
  }
}
