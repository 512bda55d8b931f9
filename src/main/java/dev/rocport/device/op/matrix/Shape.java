package dev.rocport.device.op.matrix;

import dev.rocport.device.wave.Wave;

/**
 * The dimensions of a matrix instruction, and where its elements lie. D = A * B + C for each of
 * some blocks, with A of m x k, B of k x n, and C and D of m x n elements. Source: the calculator
 * for matrix instructions that AMD publishes with ROCm.
 *
 * @param resultDwords 1, or 2 where C and D are doubles
 */
public record Shape(int m, int n, int k, int blocks, int resultDwords) {

  /**
   * How many elements of A (or B) a lane holds, one after the other in its registers.
   *
   * @param depth k, or where A is sparse half of it
   */
  int perLane(int depth) {
    return depth / (Wave.LANES / (m * blocks));
  }

  /** The lane that holds column {@code column} of row 0 of A, the others following. */
  int lane(int block, int column, int depth) {
    return block * m + column / perLane(depth) * m * blocks;
  }

  /** Registers, or pairs of them, that C and D take. */
  public int results() {
    return Math.max(1, m * n * blocks / Wave.LANES);
  }

  /** The index of row {@code i} of D in 64 lanes of each result: its n elements lie together. */
  int row(int block, int i) {
    int height = resultDwords == 2 ? 1 : 4;
    int across = Wave.LANES / n;
    int blocksAcross = Math.ceilDiv(Wave.LANES, m * n / height);
    int register = block * (m * n / Wave.LANES) + i / (height * across) * height + i % height;
    int lane = block % blocksAcross * n + i / height % across * blocksAcross * n;
    return register * Wave.LANES + lane;
  }

  /** The block of A that a block multiplies: one goes to 2 to the {@code cbsz} of them. */
  static int broadcast(int block, int cbsz, int abid) {
    return (block >> cbsz << cbsz) + abid;
  }

  /** The lane whose part of B a lane multiplies. */
  static int permuted(int lane, int blgp) {
    return switch (blgp) {
      case 1 -> lane & 31;
      case 2 -> (lane & 31) | 32;
      case 3 -> (lane + 16) & 63;
      case 4, 5, 6, 7 -> (lane & 15) | ((blgp - 4) << 4);
      default -> lane;
    };
  }
}
