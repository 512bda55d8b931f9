package demo;

import java.util.List;

class Options {
  void kept(String arch) throws Throwable {
    String[] options = {
      "--gpu-architecture=compute_80",
      "--use_fast_math", // for speed
      "-lineinfo",
      "-DN=4"
    };
    compile(options.length, options);
    String[] counted = new String[] {"-arch=sm_90", "-std=c++17"}; // want: JAVA-NVRTC-OPTION
    nvrtcCompileProgram(2, counted);
    compile(List.of("--std=c++17", "--gpu-architecture=" + arch));
    run("-arch=" + arch); // want: JAVA-NVRTC-OPTION
    find("nvrtcCompileProgram");
  }

  void start(String in, List<String> more) throws Exception {
    new ProcessBuilder("nvcc", "-O3", "-cubin", "-arch=sm_80", in, "-o", "k.cubin").start();
    new ProcessBuilder(List.of("/usr/local/cuda/bin/nvcc", "--ptx", "-Xcompiler", "-fPIC", in)).start();
    new ProcessBuilder("nvcc", "-ltoir", in).start(); // want: JAVA-NVCC
    Runtime.getRuntime().exec("nvcc -ptx " + in + " -o k.ptx"); // want: JAVA-NVCC
  }
}
