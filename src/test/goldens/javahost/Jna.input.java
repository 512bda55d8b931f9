package demo;

import com.sun.jna.*;

interface Jna extends Library {
  Jna INSTANCE = Native.load("cudart", Jna.class);

  int cudaMalloc(Pointer[] p, long bytes); // want: JAVA-JNA
}
