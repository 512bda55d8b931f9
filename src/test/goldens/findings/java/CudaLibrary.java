import com.sun.jna.*;

interface CudaLibrary extends Library {
  int cudaFree(Pointer p);  // want: JAVA-JNA
}
