import jcuda.Pointer;  // want: JAVA-JCUDA

class JCuda {
  void run() {
    jcuda.driver.JCudaDriver.cuInit(0);  // want: JAVA-JCUDA
  }
}
