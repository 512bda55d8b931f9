package demo;

import static jcuda.driver.JCudaDriver.cuInit; // want: JAVA-JCUDA

import jcuda.Pointer; // want: JAVA-JCUDA
import jcuda.driver.*; // want: JAVA-JCUDA

class Bindings {
  static final String KERNEL = "#include <hip/hip_fp16.h>\n" + "extern \"C\" __global__ void k(int* p) { *p = 1; }\n";
  static final int CUBLAS_OP_T = 1;

  void run() {
    cuInit(0); // want: JAVA-JCUDA
    JCudaDriver.cuModuleLoad(module, "kernel.ptx"); // want: JAVA-JCUDA // want: JAVA-MODULE-FILE
    JCudaDriver.cuModuleGetFunction(function, module, "cuInit"); // want: JAVA-JCUDA
  }
}
