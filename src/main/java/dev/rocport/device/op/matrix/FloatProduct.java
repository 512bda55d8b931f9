package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of floats of up to 32 bits, summed in single precision by one fused multiply-add for
 * each column of A, in ascending order. What hardware does within such a sum is not documented; it
 * differs in the last bits. A NaN is always the same one, since processors choose differently among
 * several. gfx90a takes denormals of 16-bit elements, and of their sums, for 0.
 */
final class FloatProduct extends Op {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /** Vectors are slow until they are compiled, so they are only for what runs often. */
  private static final int COLD_USES = 200;

  private static final int[] IDENTITY = IntStream.range(0, Wave.LANES).toArray();

  private final Layout layout;
  private final Element typeA;
  private final Element typeB;
  private final Operands operands;
  private final Optional<Sparsity> sparsity;

  /** Roughly, since threads race here. */
  private int uses;

  FloatProduct(
      Instruction instruction,
      Layout layout,
      Element typeA,
      Element typeB,
      Operands operands,
      Optional<Sparsity> sparsity) {
    super(instruction);
    this.layout = layout;
    this.typeA = typeA;
    this.typeB = typeB;
    this.operands = operands;
    this.sparsity = sparsity;
  }

  @Override
  public void execute(Wave wave) {
    uses++;
    boolean flushes =
        typeA.bits() == 16 && !wave.group.environment().target().has(Feature.MATRIX_HALF_DENORMALS);
    float[] a = unpack(wave, operands.a(), typeA, layout.perLaneA(), IDENTITY, flushes);
    float[] b = unpack(wave, operands.b(), typeB, layout.perLaneB(), layout.lanes(), flushes);
    float[] sums = addend(wave, flushes);
    Shape shape = layout.shape();
    for (int block = 0; block < shape.blocks(); block++) {
      for (int i = 0; i < shape.m(); i++) {
        row(wave, a, b, sums, block, i);
      }
    }
    int[] registers = operands.d().of(wave);
    int first = operands.d().first();
    for (int x = 0; x < sums.length; x++) {
      float value = flushes ? flushed(sums[x]) : sums[x];
      registers[first + x] = Float.floatToIntBits(value);
    }
  }

  private void row(Wave wave, float[] a, float[] b, float[] sums, int block, int i) {
    int row = layout.rowD(block, i);
    int count = layout.shape().n();
    Sparsity sparse = sparsity.orElse(null);
    boolean hot = uses > COLD_USES && count % SPECIES.length() == 0;
    for (int kept = 0; kept < layout.depth(); kept++) {
      int at = layout.columnA(block, kept) + i;
      int k = sparse == null ? kept : sparse.column(wave, at & (Wave.LANES - 1), kept);
      int column = layout.rowB(block, k);
      if (hot) {
        multiplyAddVectors(sums, row, a[at], b, column, count);
      } else {
        multiplyAdd(sums, row, a[at], b, column, count);
      }
    }
  }

  private static void multiplyAddVectors(
      float[] sums, int row, float factor, float[] b, int column, int count) {
    for (int j = 0; j < count; j += SPECIES.length()) {
      FloatVector sum = FloatVector.fromArray(SPECIES, sums, row + j);
      FloatVector part = FloatVector.fromArray(SPECIES, b, column + j);
      part.fma(FloatVector.broadcast(SPECIES, factor), sum).intoArray(sums, row + j);
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
      Wave wave, Source source, Element type, int perLane, int[] lanes, boolean flushes) {
    int[] registers = source.of(wave);
    float[] values = new float[perLane * Wave.LANES];
    for (int e = 0; e < perLane; e++) {
      int row = source.first() + e * type.bits() / 32 * Wave.LANES;
      type.unpack(registers, row, lanes, e, values, e * Wave.LANES);
    }
    if (flushes) {
      for (int x = 0; x < values.length; x++) {
        values[x] = flushed(values[x], type);
      }
    }
    return values;
  }

  private float[] addend(Wave wave, boolean flushes) {
    float[] sums = new float[layout.shape().results() * Wave.LANES];
    if (operands.c().isConstant()) {
      Arrays.fill(sums, Float.intBitsToFloat((int) operands.c().constant()));
      return sums;
    }
    int[] registers = operands.c().of(wave);
    for (int x = 0; x < sums.length; x++) {
      float value = Float.intBitsToFloat(registers[operands.c().first() + x]);
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
