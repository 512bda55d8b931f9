package demo;

import static jcuda.driver.JCudaDriver.cuInit; // expect: JAVA-JCUDA

import jcuda.Pointer; // expect: JAVA-JCUDA
import jcuda.driver.*; // expect: JAVA-JCUDA

class Bindings {
  static final String KERNEL = "#include <cuda_fp16.h>\n" + "extern \"C\" __global__ void k(int* p) { *p = 1; }\n";
  static final int CUBLAS_OP_T = 1;

  void run() {
    cuInit(0); // expect: JAVA-JCUDA
    JCudaDriver.cuModuleLoad(module, "kernel.ptx"); // expect: JAVA-JCUDA // expect: JAVA-MODULE-FILE
    JCudaDriver.cuModuleGetFunction(function, module, "cuInit"); // expect: JAVA-JCUDA
  }
}
