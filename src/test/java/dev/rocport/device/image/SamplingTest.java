package dev.rocport.device.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.ImageDim;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters and clamps on images whose texels are random numbers. */
final class SamplingTest {
  private static final int WIDTH = 7;
  private static final int HEIGHT = 4;

  private final Map<Long, Float> memory = new HashMap<>();
  private final Random random = new Random(5);

  private static ImageResource image(int type, int depth, int levels) {
    return new ImageResource(
        0x1000, 22, WIDTH, HEIGHT, depth - 1, 0, WIDTH, 0, type, 0, 0, levels - 1, levels);
  }

  private static ImageSampler sampler(int clamp, boolean linear, boolean unnormalized, int levels) {
    int filter = linear ? 1 : 0;
    return new ImageSampler(
        new int[] {clamp, clamp, clamp},
        0,
        unnormalized,
        false,
        0,
        4095,
        0,
        filter,
        filter,
        0,
        levels,
        2);
  }

  private float texel(long address) {
    return memory.computeIfAbsent(address, _ -> random.nextInt(1000) / 8f);
  }

  private Sampling sampling(ImageResource image, ImageSampler sampler, ImageDim dim) {
    return new Sampling(
        image,
        sampler,
        TexelCodec.of(22).orElseThrow(),
        dim,
        (address, into) -> into[0] = Float.floatToRawIntBits(texel(address)));
  }

  private static float sample(Sampling sampling, double detail, float... at) {
    int[] texel = new int[4];
    sampling.sample(at, detail, texel);
    return Float.intBitsToFloat(texel[0]);
  }

  /** An index within the image by the definition of the mode; negative for the border. */
  private static int clamped(int clamp, int i, int size) {
    int once = i < 0 ? -1 - i : i;
    return switch (clamp) {
      case 0 -> ((i % size) + size) % size;
      case 1 -> {
        int folded = once % (2 * size);
        yield folded < size ? folded : 2 * size - 1 - folded;
      }
      case 2 -> i < 0 ? 0 : i >= size ? size - 1 : i;
      case 3 -> once >= size ? size - 1 : once;
      case 6 -> i < 0 || i >= size ? -1 : i;
      default -> once >= size ? -1 : once;
    };
  }

  private float at(ImageResource image, int clamp, int x, int y, int z) {
    int a = clamped(clamp, x, WIDTH);
    int b = clamped(clamp, y, HEIGHT);
    int c = image.isVolume() ? clamped(clamp, z, image.depth(0)) : z;
    return a < 0 || b < 0 || c < 0 ? 1 : texel(image.address(0, a, b, c, 4));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 6, 7})
  void clampsTheNearestTexel(int clamp) {
    ImageResource image = image(9, 1, 1);
    Sampling sampling = sampling(image, sampler(clamp, false, false, 0), ImageDim.D2);
    for (int i = 0; i < 500; i++) {
      int x = random.nextInt(60) - 30;
      int y = random.nextInt(60) - 30;
      float u = (x + 0.3f) / WIDTH;
      float v = (y + 0.7f) / HEIGHT;
      assertThat(sample(sampling, 0, u, v)).as("%d %d", x, y).isEqualTo(at(image, clamp, x, y, 0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 6, 7})
  void mixesNeighbours(int clamp) {
    ImageResource image = image(10, 3, 1);
    Sampling sampling = sampling(image, sampler(clamp, true, true, 0), ImageDim.D3);
    for (int i = 0; i < 500; i++) {
      int[] steps = new int[3];
      float[] at = new float[3];
      double wanted = 0;
      for (int a = 0; a < 3; a++) {
        steps[a] = random.nextInt(5000) - 1500;
        at[a] = (steps[a] + 128) / 256f;
      }
      for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int[] index = new int[3];
        for (int a = 0; a < 3; a++) {
          int side = corner >> a & 1;
          double fraction = Math.floorMod(steps[a], 256) / 256.0;
          index[a] = Math.floorDiv(steps[a], 256) + side;
          weight *= side == 0 ? 1 - fraction : fraction;
        }
        wanted += weight * at(image, clamp, index[0], index[1], index[2]);
      }
      assertThat(sample(sampling, 0, at)).isEqualTo((float) wanted);
    }
  }

  @Test
  void roundsCoordinatesTo256th() {
    ImageResource image = image(9, 1, 1);
    Sampling sampling = sampling(image, sampler(2, false, true, 0), ImageDim.D2);
    assertThat(sample(sampling, 0, 2.9985f, 1.5f)).isEqualTo(at(image, 2, 3, 1, 0));
    assertThat(sample(sampling, 0, 2.9975f, 1.5f)).isEqualTo(at(image, 2, 2, 1, 0));
    assertThat(sample(sampling, 0, Float.NaN, Float.NEGATIVE_INFINITY))
        .isEqualTo(at(image, 2, 0, 0, 0));
  }

  @Test
  void layersAndFacesAreChosenAndClamped() {
    ImageResource image = image(13, 5, 1);
    Sampling layers = sampling(image, sampler(2, false, true, 0), ImageDim.D2_ARRAY);
    assertThat(sample(layers, 0, 1.5f, 1.5f, 2.4f)).isEqualTo(at(image, 2, 1, 1, 2));
    assertThat(sample(layers, 0, 1.5f, 1.5f, 9)).isEqualTo(at(image, 2, 1, 1, 4));
    assertThat(sample(layers, 0, 1.5f, 1.5f, -1)).isEqualTo(at(image, 2, 1, 1, 0));
    ImageResource cubes = image(11, 12, 1);
    Sampling faces = sampling(cubes, sampler(2, false, true, 0), ImageDim.CUBE);
    assertThat(sample(faces, 0, 1.5f, 1.5f, 8 + 3)).isEqualTo(at(cubes, 2, 1, 1, 9));
  }

  @Test
  void levelsAreChosenOrMixed() {
    ImageResource image = image(9, 1, 3);
    float first = texel(image.address(0, 0, 0, 0, 4));
    float second = texel(image.address(1, 0, 0, 0, 4));
    float third = texel(image.address(2, 0, 0, 0, 4));
    Sampling nearest = sampling(image, sampler(2, false, true, 1), ImageDim.D2);
    assertThat(sample(nearest, 0.49, 0, 0)).isEqualTo(first);
    assertThat(sample(nearest, 0.5, 0, 0)).isEqualTo(second);
    assertThat(sample(nearest, 9, 0, 0)).isEqualTo(third);
    assertThat(nearest.ignoresDetail()).isFalse();
    Sampling mixed = sampling(image, sampler(2, false, true, 2), ImageDim.D2);
    assertThat(sample(mixed, 1.25, 0, 0)).isEqualTo((float) (0.75 * second + 0.25 * third));
    Sampling none = sampling(image, sampler(2, false, true, 0), ImageDim.D2);
    assertThat(sample(none, 2, 0, 0)).isEqualTo(first);
    assertThat(none.ignoresDetail()).isTrue();
    assertThat(nearest.detail(new float[] {0, 2, 4, 0})).isEqualTo(2);
  }

  @Test
  void gathersFourTexels() {
    ImageResource image = image(9, 1, 1);
    Sampling sampling = sampling(image, sampler(2, false, true, 0), ImageDim.D2);
    int[] texels = new int[4];
    sampling.gather(new float[] {3, 2}, 0, 0, texels);
    int[][] places = {{2, 2}, {3, 2}, {3, 1}, {2, 1}};
    for (int i = 0; i < 4; i++) {
      assertThat(Float.intBitsToFloat(texels[i]))
          .isEqualTo(at(image, 2, places[i][0], places[i][1], 0));
    }
    sampling.gather(new float[] {3, 2}, 0, 4, texels);
    assertThat(texels).containsOnly(Float.floatToRawIntBits(1));
    sampling.gather(new float[] {3, 2}, 0, -1, texels);
    assertThat(texels).containsOnly(0);
  }

  @Test
  void descriptorsHaveFieldsOfBothGenerations() {
    int[] three = {
      0x12345678,
      0x9a | 3 << 16 | 22 << 20 | 2 << 30,
      5 | 99 << 14,
      1 << 12 | 2 << 16 | 9 << 28,
      7 | 4 << 16
    };
    int[] four = {
      0x12345678,
      0x9a | 3 << 12 | 22 << 17 | 1 << 25 | 2 << 30,
      5 | 99 << 14,
      2 << 15 | 9 << 28,
      7 | 4 << 16
    };
    ImageResource wanted =
        new ImageResource(0x9a1234567800L, 22, 23, 100, 7, 4, 8, 0, 9, 0, 1, 2, 4);
    assertThat(ImageResource.of(three, 0, Generation.RDNA3)).isEqualTo(wanted);
    assertThat(ImageResource.of(four, 0, Generation.RDNA4)).isEqualTo(wanted);
    int[] words = {
      1 | 2 << 3 | 6 << 6 | 1 << 15, 5 | 77 << 12, 0x3fff | 1 << 20 | 2 << 26, 2 << 30
    };
    ImageSampler sampler = ImageSampler.of(words, 0, Generation.RDNA3);
    assertThat(sampler.clamps()).containsExactly(1, 2, 6);
    assertThat(sampler.unnormalized()).isTrue();
    assertThat(sampler.least()).isEqualTo(5);
    assertThat(sampler.most()).isEqualTo(77);
    assertThat(sampler.bias()).isEqualTo(-1);
    assertThat(sampler.magnify()).isEqualTo(1);
    assertThat(sampler.levels()).isEqualTo(2);
    assertThat(sampler.border()).isEqualTo(2);
    assertThat(sampler.obstacle()).isEmpty();
    words[0] = 4;
    assertThat(ImageSampler.of(words, 0, Generation.RDNA3).obstacle()).contains("half");
    words[1] = 5 | 77 << 13;
    assertThat(ImageSampler.of(words, 0, Generation.RDNA4).most()).isEqualTo(77);
  }
}
