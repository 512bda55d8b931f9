import java.lang.foreign.*;

class Cuda {
  final SymbolLookup driver = SymbolLookup.libraryLookup("libcuda.so.1", arena);
  final SymbolLookup math = SymbolLookup.libraryLookup("libm.so.6", arena);  // ok: JAVA-LIBRARY
  final SymbolLookup windows = SymbolLookup.libraryLookup("nvcuda.dll", arena);  // want: JAVA-LIBRARY
  final MemorySegment init = lookup.find("cuInit").orElseThrow();  // ok: JAVA-SYMBOL
  final MemorySegment cast = lookup.findOrThrow("cuMulticastCreate");  // want: JAVA-SYMBOL
  final MemorySegment allocate = lookup.findOrThrow("cudaMallocHost");  // want: JAVA-ARGUMENTS
  final MemorySegment product = lookup.findOrThrow("cublasSgemm_v2");  // want: JAVA-NUMBERS
  static final String HOME = "/usr/local/cuda-12.4/include";  // want: JAVA-PATH
  static final String MODULE = "kernels/add.ptx";  // want: JAVA-MODULE-FILE
  static final int CUBLAS_OP_T = 1;  // ok: JAVA-CONSTANT
  static final int CU_DEVICE_ATTRIBUTE_WARP_SIZE = attribute("warp");  // want: JAVA-CONSTANT
  static final int OP_T = 1;  // ok: JAVA-CONSTANT
}
