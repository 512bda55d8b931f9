package x;

import java.lang.foreign.*;

final class Bind {
  static final String SRC =
      "extern \"C\" __global__ void k(float* a) { a[0] = __shfl_sync(-1, a[0], 0); }";
  SymbolLookup l = SymbolLookup.libraryLookup("libcudart.so.12", Arena.global());

  void go() {
    l.find("cudaMalloc");
    System.loadLibrary("nvrtc");
  }
}
