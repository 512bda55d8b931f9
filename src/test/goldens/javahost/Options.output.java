package demo;

import java.util.List;

class Options {
  void kept(String arch) throws Throwable {
    String[] options = {
      "-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt", "-fgpu-approx-transcendentals", // for speed
      "-gline-tables-only",
      "-DN=4"
    };
    compile(options.length, options);
    String[] counted = new String[] {"-arch=sm_90", "-std=c++17"}; // want: JAVA-NVRTC-OPTION
    nvrtcCompileProgram(2, counted);
    compile(List.of("-std=c++17"));
    run("-arch=" + arch); // want: JAVA-NVRTC-OPTION
    find("hiprtcCompileProgram");
  }

  void start(String in, List<String> more) throws Exception {
    new ProcessBuilder("hipcc", "-O3", "--genco", in, "-o", "k.cubin").start();
    new ProcessBuilder(List.of("/opt/rocm/bin/hipcc", "--genco", "-fPIC", in)).start();
    new ProcessBuilder("nvcc", "-ltoir", in).start(); // want: JAVA-NVCC
    Runtime.getRuntime().exec("nvcc -ptx " + in + " -o k.ptx"); // want: JAVA-NVCC
  }
}
