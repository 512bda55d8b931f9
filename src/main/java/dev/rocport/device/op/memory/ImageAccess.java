package dev.rocport.device.op.memory;

import dev.rocport.device.image.ImageResource;
import dev.rocport.device.image.ImageSampler;
import dev.rocport.device.image.Sampling;
import dev.rocport.device.image.TexelCodec;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.ImageDim;
import dev.rocport.device.isa.ImageForm;
import dev.rocport.device.isa.ImageForm.Kind;
import dev.rocport.device.isa.ImageForm.Level;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Loads, stores, samples and gathers of images. */
final class ImageAccess extends TexelAccess {
  private final ImageForm form;
  private final Modifiers.Image image;
  private final Generation generation;
  private final int resource;
  private final int sampler;
  private final int data;

  /** The index of lane 0 of each register with addresses. */
  private final int[] addresses;

  private ImageAccess(Instruction instruction, ImageForm form, Modifiers.Image image) {
    super(instruction);
    this.form = form;
    this.image = image;
    this.generation = instruction.opcode().generation();
    this.resource = scalar(instruction, "srsrc");
    this.sampler = form.hasSampler() ? scalar(instruction, "ssamp") : 0;
    this.data = Rows.required(instruction, "vdata").first();
    List<Integer> words = new ArrayList<>();
    for (Operand operand : instruction.operands().subList(0, instruction.operands().size())) {
      if (operand instanceof Operand.Vector(int register, int dwords)
          && operand != instruction.operand("vdata")) {
        for (int d = 0; d < dwords; d++) {
          words.add((register + d) * Wave.LANES);
        }
      }
    }
    this.addresses = words.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int scalar(Instruction instruction, String slot) {
    return instruction.operand(slot) instanceof Operand.Scalar(int code, _) ? code : Operand.NULL;
  }

  static Optional<ImageAccess> of(Instruction instruction) {
    if (!(instruction.modifiers() instanceof Modifiers.Image image)) {
      return Optional.empty();
    }
    ImageForm form = ImageForm.of(instruction.opcode());
    boolean plain = !form.compares() && !form.offsets() && !form.clamps();
    boolean kind =
        switch (form.kind()) {
          case LOAD, STORE ->
              !instruction.name().contains("_pck") && !instruction.name().contains("_msaa_");
          case SAMPLE -> form.level() != Level.BIASED;
          case GATHER ->
              (form.level() == Level.ZERO || form.level() == Level.GIVEN)
                  && instruction.name().startsWith("image_gather4_")
                  && Integer.bitCount(image.components()) == 1;
          case ATOMIC, LOD, SIZE -> false;
        };
    boolean samples =
        image.dim() == ImageDim.D2_SAMPLES || image.dim() == ImageDim.D2_SAMPLES_ARRAY;
    boolean described =
        scalar(instruction, "srsrc") != Operand.NULL
            && (!form.hasSampler() || scalar(instruction, "ssamp") != Operand.NULL);
    return kind && plain && !samples && described
        ? Optional.of(new ImageAccess(instruction, form, image))
        : Optional.empty();
  }

  @Override
  void run(Wave wave, long lanes) {
    ImageResource from = ImageResource.of(wave.s, resource, generation);
    if (!from.isSupported()) {
      throw missing(
          "a descriptor of type " + from.type() + " and tiling " + from.tiling() + ": see limits");
    }
    TexelCodec codec = codec(from.format(), form.kind() == Kind.STORE);
    Components registers =
        new Components(data, image.halfData(), !codec.format().type().isInteger());
    switch (form.kind()) {
      case LOAD -> load(wave, lanes, from, codec, registers);
      case STORE -> store(wave, lanes, from, codec, registers);
      default -> sample(wave, lanes, from, codec, registers);
    }
  }

  /** A coordinate, or the level behind them, as an integer. */
  private int whole(Wave wave, int lane, int number) {
    if (!image.halfAddress()) {
      return wave.v[addresses[number] + lane];
    }
    int both = wave.v[addresses[number / 2] + lane];
    return (number % 2 == 0 ? both : both >>> 16) & 0xffff;
  }

  /** The address of the texel that a lane names; {@link Space#NOWHERE} if there is none. */
  private long texel(Wave wave, int lane, ImageResource from, TexelCodec codec) {
    ImageDim dim = image.dim();
    int level = form.hasLast() ? whole(wave, lane, dim.coordinates()) : 0;
    int x = whole(wave, lane, 0);
    int y = dim.axes() > 1 ? whole(wave, lane, 1) : 0;
    boolean deep = dim == ImageDim.D3 || (dim.coordinates() > dim.axes() && from.hasLayers());
    int z = deep ? whole(wave, lane, dim.coordinates() - 1) : 0;
    if (Integer.compareUnsigned(level, from.lastLevel() - from.baseLevel()) > 0) {
      return Space.NOWHERE;
    }
    int inMemory = from.baseLevel() + level;
    boolean inside =
        Integer.compareUnsigned(x, from.width(inMemory)) < 0
            && Integer.compareUnsigned(y, from.height(inMemory)) < 0
            && Integer.compareUnsigned(z, from.depth(inMemory)) < 0;
    return inside ? from.address(inMemory, x, y, z, codec.format().bytes()) : Space.NOWHERE;
  }

  private void load(
      Wave wave, long lanes, ImageResource from, TexelCodec codec, Components registers) {
    long[] places = places(wave, lanes, from, codec);
    int[] texel = new int[4];
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      if (places[lane] == Space.NOWHERE) {
        for (int n = 0; n < Integer.bitCount(image.components()); n++) {
          registers.write(wave, lane, n, 0);
        }
      } else {
        touch(wave, lane, places[lane], codec.format().bytes(), Access.LOAD);
        codec.load(places[lane], texel);
        write(wave, lane, from, codec, registers, texel);
      }
    }
  }

  /** Where the texels of all lanes are: results may overwrite coordinates. */
  private long[] places(Wave wave, long lanes, ImageResource from, TexelCodec codec) {
    long[] places = new long[Wave.LANES];
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      places[lane] = texel(wave, lane, from, codec);
    }
    return places;
  }

  private void write(
      Wave wave,
      int lane,
      ImageResource from,
      TexelCodec codec,
      Components registers,
      int[] texel) {
    int number = 0;
    for (int c = 0; c < 4; c++) {
      if ((image.components() >>> c & 1) != 0) {
        registers.write(wave, lane, number++, selected(from.select(), c, texel, codec.one()));
      }
    }
  }

  private void store(
      Wave wave, long lanes, ImageResource from, TexelCodec codec, Components registers) {
    int[] texel = new int[4];
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long place = texel(wave, lane, from, codec);
      if (place != Space.NOWHERE) {
        int number = 0;
        for (int c = 0; c < 4; c++) {
          if ((image.components() >>> c & 1) != 0) {
            texel[c] = registers.read(wave, lane, number++);
          }
        }
        fill(texel, image.components());
        touch(wave, lane, place, codec.format().bytes(), Access.STORE);
        codec.store(place, texel);
      }
    }
  }

  private void sample(
      Wave wave, long lanes, ImageResource from, TexelCodec codec, Components registers) {
    ImageSampler with = ImageSampler.of(wave.s, sampler, generation).counting(image.unnormalized());
    if (!with.obstacle().isEmpty()) {
      throw missing(with.obstacle());
    }
    int[] lane = new int[1];
    int bytes = codec.format().bytes();
    Sampling sampling =
        new Sampling(
            from,
            with,
            codec,
            image.dim(),
            (address, into) -> {
              touch(wave, lane[0], address, bytes, Access.LOAD);
              codec.load(address, into);
            });
    if (form.level() == Level.NEIGHBOURS && !sampling.ignoresDetail()) {
      throw missing("a level of detail from neighbouring lanes");
    }
    float[] at = new float[image.dim().coordinates()];
    float[] gradients = new float[image.dim().gradients()];
    int[] texel = new int[4];
    for (long m = lanes; m != 0; m &= m - 1) {
      lane[0] = Long.numberOfTrailingZeros(m);
      for (int i = 0; i < at.length; i++) {
        at[i] = number(wave, lane[0], i);
      }
      double detail =
          switch (form.level()) {
            case GIVEN -> number(wave, lane[0], at.length);
            case GRADIENTS -> sampling.detail(gradients(wave, lane[0], gradients));
            default -> 0;
          };
      if (form.kind() == Kind.GATHER) {
        gather(wave, lane[0], from, registers, sampling, at, detail, texel);
      } else {
        sampling.sample(at, detail, texel);
        write(wave, lane[0], from, codec, registers, texel);
      }
    }
  }

  private void gather(
      Wave wave,
      int lane,
      ImageResource from,
      Components registers,
      Sampling sampling,
      float[] at,
      double detail,
      int[] texels) {
    int component = Integer.numberOfTrailingZeros(image.components());
    int select = from.select() >>> (3 * component) & 7;
    sampling.gather(at, detail, select >= 4 ? select - 4 : select == 1 ? 4 : -1, texels);
    for (int n = 0; n < 4; n++) {
      registers.write(wave, lane, n, texels[n]);
    }
  }

  /** A coordinate, or the level behind them, as a float. */
  private float number(Wave wave, int lane, int number) {
    int before = form.gradientWords(image.dim());
    if (!image.halfAddress()) {
      return Float.intBitsToFloat(wave.v[addresses[before + number] + lane]);
    }
    return half(wave.v[addresses[before + number / 2] + lane], number);
  }

  private static float half(int both, int number) {
    return Float.float16ToFloat((short) (number % 2 == 0 ? both : both >>> 16));
  }

  private float[] gradients(Wave wave, int lane, float[] into) {
    int axes = image.dim().axes();
    int each = axes + axes % 2;
    for (int i = 0; i < into.length; i++) {
      if (form.halfGradients()) {
        int place = i / axes * each + i % axes;
        into[i] = half(wave.v[addresses[place / 2] + lane], place);
      } else {
        into[i] = Float.intBitsToFloat(wave.v[addresses[i] + lane]);
      }
    }
    return into;
  }
}
