package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Optional;

/**
 * Products of floats of up to 32 bits, summed in single precision by one fused multiply-add for
 * each column of A, in ascending order. What hardware does within such a sum is not documented; it
 * differs in the last bits. gfx90a takes denormals of 16-bit elements, and of their sums, for 0.
 */
final class FloatProduct extends Op {
  private final Shape shape;
  private final Element typeA;
  private final Element typeB;
  private final Source sourceA;
  private final Source sourceB;
  private final Source sourceC;
  private final Source destination;
  private final Optional<Sparsity> sparsity;
  private final Modifiers.Matrix bits;

  FloatProduct(
      Instruction instruction,
      Shape shape,
      Element typeA,
      Element typeB,
      Source sourceA,
      Source sourceB,
      Source sourceC,
      Source destination,
      Optional<Sparsity> sparsity,
      Modifiers.Matrix bits) {
    super(instruction);
    this.shape = shape;
    this.typeA = typeA;
    this.typeB = typeB;
    this.sourceA = sourceA;
    this.sourceB = sourceB;
    this.sourceC = sourceC;
    this.destination = destination;
    this.sparsity = sparsity;
    this.bits = bits;
  }

  @Override
  public void execute(Wave wave) {
    int depth = sparsity.isPresent() ? shape.k() / 2 : shape.k();
    boolean flushes = typeA.bits() == 16 && wave.group.environment().target() == Target.GFX90A;
    float[] a = unpack(wave, sourceA, typeA, shape.perLane(depth), 0, flushes);
    int blgp = sparsity.isPresent() ? 0 : bits.blgp();
    float[] b = unpack(wave, sourceB, typeB, shape.perLane(shape.k()), blgp, flushes);
    float[] sums = addend(wave, flushes);
    for (int block = 0; block < shape.blocks(); block++) {
      int from = sparsity.isPresent() ? block : Shape.broadcast(block, bits.cbsz(), bits.abid());
      for (int i = 0; i < shape.m(); i++) {
        row(wave, a, b, sums, block, from, i, depth);
      }
    }
    int[] registers = destination.of(wave);
    int first = destination.first();
    for (int x = 0; x < sums.length; x++) {
      float value = flushes ? flushed(sums[x]) : sums[x];
      registers[first + x] = Float.floatToRawIntBits(value);
    }
  }

  private void row(
      Wave wave, float[] a, float[] b, float[] sums, int block, int from, int i, int depth) {
    int row = shape.row(block, i);
    int perLaneA = shape.perLane(depth);
    int perLaneB = shape.perLane(shape.k());
    for (int kept = 0; kept < depth; kept++) {
      int lane = shape.lane(from, kept, depth) + i;
      int k = sparsity.isPresent() ? sparsity.get().column(wave, lane, kept) : kept;
      float factor = a[kept % perLaneA * Wave.LANES + lane];
      int column = k % perLaneB * Wave.LANES + shape.lane(block, k, shape.k());
      multiplyAdd(sums, row, factor, b, column, shape.n());
    }
  }

  private static void multiplyAdd(
      float[] sums, int row, float factor, float[] b, int column, int count) {
    for (int j = 0; j < count; j++) {
      sums[row + j] = Math.fma(factor, b[column + j], sums[row + j]);
    }
  }

  /** Element e of each lane, at e * 64 + lane. */
  private static float[] unpack(
      Wave wave, Source source, Element type, int perLane, int blgp, boolean flushes) {
    int[] registers = source.of(wave);
    float[] values = new float[perLane * Wave.LANES];
    for (int e = 0; e < perLane; e++) {
      int row = source.first() + e * type.bits() / 32 * Wave.LANES;
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int word = registers[row + Shape.permuted(lane, blgp)];
        float value = type.value(word, e);
        values[e * Wave.LANES + lane] = flushes ? flushed(value, type) : value;
      }
    }
    return values;
  }

  private float[] addend(Wave wave, boolean flushes) {
    float[] sums = new float[shape.results() * Wave.LANES];
    if (sourceC.isConstant()) {
      Arrays.fill(sums, Float.intBitsToFloat((int) sourceC.constant()));
      return sums;
    }
    int[] registers = sourceC.of(wave);
    for (int x = 0; x < sums.length; x++) {
      float value = Float.intBitsToFloat(registers[sourceC.first() + x]);
      sums[x] = flushes ? flushed(value) : value;
    }
    return sums;
  }

  private static float flushed(float value, Element type) {
    float least = type == Element.F16 ? 0x1p-14f : Float.MIN_NORMAL;
    return Math.abs(value) < least ? Math.copySign(0f, value) : value;
  }

  private static float flushed(float value) {
    return flushed(value, Element.F32);
  }
}
