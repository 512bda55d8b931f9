package demo;

import com.sun.jna.*;
import org.bytedeco.cuda.cudart.CUstream_st; // want: JAVA-JAVACPP
import org.bytedeco.javacpp.annotation.*;

@Platform(include = {"<cuda_runtime.h>", "mine.h"}, link = {"cudart", "cublas", "m"}, preload = "nvrtc")
class Presets {
  interface Native extends Library {
    int cudart = 1;
  }

  final Object library = com.sun.jna.Native.load("cudart", Native.class);
}
