package demo;

import com.sun.jna.*;
import org.bytedeco.cuda.cudart.CUstream_st; // want: JAVA-JAVACPP
import org.bytedeco.javacpp.annotation.*;

@Platform(include = {"<hip/hip_runtime.h>", "mine.h"}, link = {"amdhip64", "hipblas", "m"}, preload = "hiprtc")
class Presets {
  interface Native extends Library {
    int cudart = 1;
  }

  final Object library = com.sun.jna.Native.load("amdhip64", Native.class);
}
