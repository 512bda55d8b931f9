package dev.rocport.device.op.vector;

/**
 * v_cubeid_f32 and its like: the face of a cube map that a direction (x, y, z) hits, and where. Of
 * equal coordinates, z comes before y and y before x. Source: AMD's RDNA3 ISA manual.
 */
final class CubeFaces {
  private enum Axis {
    X,
    Y,
    Z
  }

  private CubeFaces() {}

  private static Axis major(float x, float y, float z) {
    if (Math.abs(z) >= Math.abs(x) && Math.abs(z) >= Math.abs(y)) {
      return Axis.Z;
    }
    return Math.abs(y) >= Math.abs(x) ? Axis.Y : Axis.X;
  }

  /** The face: +x, -x, +y, -y, +z, -z. */
  static float face(float x, float y, float z) {
    return switch (major(x, y, z)) {
      case X -> x < 0 ? 1 : 0;
      case Y -> y < 0 ? 3 : 2;
      case Z -> z < 0 ? 5 : 4;
    };
  }

  /** The coordinate along the rows of the face, not yet divided by the major one. */
  static float column(float x, float y, float z) {
    return switch (major(x, y, z)) {
      case X -> x < 0 ? z : -z;
      case Y -> x;
      case Z -> z < 0 ? -x : x;
    };
  }

  /** The coordinate along the columns of the face, likewise. */
  static float row(float x, float y, float z) {
    return switch (major(x, y, z)) {
      case X, Z -> -y;
      case Y -> y < 0 ? -z : z;
    };
  }

  /** Twice the major coordinate. */
  static float twiceMajor(float x, float y, float z) {
    return switch (major(x, y, z)) {
      case X -> 2 * x;
      case Y -> 2 * y;
      case Z -> 2 * z;
    };
  }
}
