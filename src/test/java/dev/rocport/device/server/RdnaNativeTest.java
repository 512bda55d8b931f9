package dev.rocport.device.server;

/** The same kernels in code that is compiled at its first entry. */
final class RdnaNativeTest extends RdnaTest {
  @Override
  String engine() {
    return "native=1";
  }
}
