package demo;

import com.sun.jna.*;

interface Jna extends Library {
  Jna INSTANCE = Native.load("amdhip64", Jna.class);

  int cudaMalloc(Pointer[] p, long bytes); // want: JAVA-JNA
}
