package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Products of signed bytes, summed in 32 bits that wrap. */
final class IntProduct extends Op {
  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;

  /** Vectors are slow until they are compiled, so they are only for what runs often. */
  private static final int COLD_USES = 200;

  private static final int[] IDENTITY = IntStream.range(0, Wave.LANES).toArray();

  private final Layout layout;
  private final Operands operands;
  private final Optional<Sparsity> sparsity;

  /** Roughly, since threads race here. */
  private int uses;

  IntProduct(
      Instruction instruction, Layout layout, Operands operands, Optional<Sparsity> sparsity) {
    super(instruction);
    this.layout = layout;
    this.operands = operands;
    this.sparsity = sparsity;
  }

  @Override
  public void execute(Wave wave) {
    uses++;
    int[] a = unpack(wave, operands.a(), layout.perLaneA(), IDENTITY);
    int[] b = unpack(wave, operands.b(), layout.perLaneB(), layout.lanes());
    Shape shape = layout.shape();
    int[] sums = new int[shape.results() * Wave.LANES];
    if (operands.c().isConstant()) {
      Arrays.fill(sums, (int) operands.c().constant());
    } else {
      System.arraycopy(operands.c().of(wave), operands.c().first(), sums, 0, sums.length);
    }
    for (int block = 0; block < shape.blocks(); block++) {
      for (int i = 0; i < shape.m(); i++) {
        row(wave, a, b, sums, block, i);
      }
    }
    System.arraycopy(sums, 0, operands.d().of(wave), operands.d().first(), sums.length);
  }

  private void row(Wave wave, int[] a, int[] b, int[] sums, int block, int i) {
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
      int[] sums, int row, int factor, int[] b, int column, int count) {
    for (int j = 0; j < count; j += SPECIES.length()) {
      IntVector sum = IntVector.fromArray(SPECIES, sums, row + j);
      IntVector part = IntVector.fromArray(SPECIES, b, column + j);
      part.mul(factor).add(sum).intoArray(sums, row + j);
    }
  }

  private static void multiplyAdd(int[] sums, int row, int factor, int[] b, int column, int count) {
    for (int j = 0; j < count; j++) {
      sums[row + j] += factor * b[column + j];
    }
  }

  /** Element e of each lane, at e * 64 + lane. */
  private static int[] unpack(Wave wave, Source source, int perLane, int[] lanes) {
    int[] registers = source.of(wave);
    int[] values = new int[perLane * Wave.LANES];
    for (int e = 0; e < perLane; e++) {
      int row = source.first() + e / 4 * Wave.LANES;
      int shift = 8 * (e & 3);
      for (int lane = 0; lane < Wave.LANES; lane++) {
        values[e * Wave.LANES + lane] = (byte) (registers[row + lanes[lane]] >>> shift);
      }
    }
    return values;
  }
}
