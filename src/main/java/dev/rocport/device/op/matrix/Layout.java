package dev.rocport.device.op.matrix;

import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Wave;

/**
 * A shape and its modifiers as tables, so that no element needs a division. Unpacked elements of A
 * and B stand at {@code e * 64 + lane}, where e is their place in the lane.
 */
public final class Layout {
  private final Shape shape;
  private final int depth;
  private final int perLaneA;
  private final int perLaneB;
  private final int[] lanes = new int[Wave.LANES];
  private final int[] columnsA;
  private final int[] columnsB;
  private final int[] rows;

  /**
   * Makes the tables.
   *
   * @param depth the columns of A that are there: k, or where A is sparse half of it
   * @param bits the modifiers; a sparse A has none that move anything
   */
  Layout(Shape shape, int depth, Modifiers.Matrix bits) {
    this.shape = shape;
    this.depth = depth;
    this.perLaneA = shape.perLane(depth);
    this.perLaneB = shape.perLane(shape.k());
    boolean sparse = depth != shape.k();
    for (int l = 0; l < Wave.LANES; l++) {
      lanes[l] = sparse ? l : Shape.permuted(l, bits.blgp());
    }
    this.columnsA = new int[shape.blocks() * depth];
    this.columnsB = new int[shape.blocks() * shape.k()];
    this.rows = new int[shape.blocks() * shape.m()];
    for (int block = 0; block < shape.blocks(); block++) {
      int from = sparse ? block : Shape.broadcast(block, bits.cbsz(), bits.abid());
      for (int k = 0; k < depth; k++) {
        columnsA[block * depth + k] = k % perLaneA * Wave.LANES + shape.lane(from, k, depth);
      }
      for (int k = 0; k < shape.k(); k++) {
        columnsB[block * shape.k() + k] =
            k % perLaneB * Wave.LANES + shape.lane(block, k, shape.k());
      }
      for (int i = 0; i < shape.m(); i++) {
        rows[block * shape.m() + i] = shape.row(block, i);
      }
    }
  }

  public Shape shape() {
    return shape;
  }

  public int depth() {
    return depth;
  }

  public int perLaneA() {
    return perLaneA;
  }

  public int perLaneB() {
    return perLaneB;
  }

  /** For each lane, the lane whose part of B it multiplies. */
  int[] lanes() {
    return lanes;
  }

  /** Where row 0 of column {@code k} of A stands, the other rows following. */
  public int columnA(int block, int k) {
    return columnsA[block * depth + k];
  }

  /** Where row {@code k} of B stands, its elements side by side. */
  public int rowB(int block, int k) {
    return columnsB[block * shape.k() + k];
  }

  /** Where row {@code i} of D stands, its elements side by side. */
  public int rowD(int block, int i) {
    return rows[block * shape.m() + i];
  }
}
