package dev.rocport.device.server;

/** The same kernels in both engines, which must agree. */
final class RdnaComparedTest extends RdnaTest {
  @Override
  String engine() {
    return "compare";
  }
}
