package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.Optional;

/** Products of signed bytes, summed in 32 bits that wrap. */
final class IntProduct extends Op {
  private final Shape shape;
  private final Source sourceA;
  private final Source sourceB;
  private final Source sourceC;
  private final Source destination;
  private final Optional<Sparsity> sparsity;
  private final Modifiers.Matrix bits;

  IntProduct(
      Instruction instruction,
      Shape shape,
      Source sourceA,
      Source sourceB,
      Source sourceC,
      Source destination,
      Optional<Sparsity> sparsity,
      Modifiers.Matrix bits) {
    super(instruction);
    this.shape = shape;
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
    int[] a = unpack(wave, sourceA, shape.perLane(depth), 0);
    int blgp = sparsity.isPresent() ? 0 : bits.blgp();
    int[] b = unpack(wave, sourceB, shape.perLane(shape.k()), blgp);
    int[] sums = new int[shape.results() * Wave.LANES];
    if (sourceC.isConstant()) {
      Arrays.fill(sums, (int) sourceC.constant());
    } else {
      System.arraycopy(sourceC.of(wave), sourceC.first(), sums, 0, sums.length);
    }
    for (int block = 0; block < shape.blocks(); block++) {
      int from = sparsity.isPresent() ? block : Shape.broadcast(block, bits.cbsz(), bits.abid());
      for (int i = 0; i < shape.m(); i++) {
        row(wave, a, b, sums, block, from, i, depth);
      }
    }
    System.arraycopy(sums, 0, destination.of(wave), destination.first(), sums.length);
  }

  private void row(Wave wave, int[] a, int[] b, int[] sums, int block, int from, int i, int depth) {
    int row = shape.row(block, i);
    int perLaneA = shape.perLane(depth);
    int perLaneB = shape.perLane(shape.k());
    for (int kept = 0; kept < depth; kept++) {
      int lane = shape.lane(from, kept, depth) + i;
      int k = sparsity.isPresent() ? sparsity.get().column(wave, lane, kept) : kept;
      int factor = a[kept % perLaneA * Wave.LANES + lane];
      int column = k % perLaneB * Wave.LANES + shape.lane(block, k, shape.k());
      for (int j = 0; j < shape.n(); j++) {
        sums[row + j] += factor * b[column + j];
      }
    }
  }

  /** Element e of each lane, at e * 64 + lane. */
  private static int[] unpack(Wave wave, Source source, int perLane, int blgp) {
    int[] registers = source.of(wave);
    int[] values = new int[perLane * Wave.LANES];
    for (int e = 0; e < perLane; e++) {
      int row = source.first() + e / 4 * Wave.LANES;
      for (int lane = 0; lane < Wave.LANES; lane++) {
        int word = registers[row + Shape.permuted(lane, blgp)];
        values[e * Wave.LANES + lane] = (byte) (word >>> (8 * (e & 3)));
      }
    }
    return values;
  }
}
