class Compile {
  void run(String source, String module) throws Throwable {
    String[] options = {"--gpu-architecture=compute_80", "--std=c++17"};  // want: JAVA-NVRTC-OPTION
    compile(program, options.length, options);
    new ProcessBuilder("nvcc", "-ptx", "-arch=sm_80", "-o", module, source).start();  // want: JAVA-NVCC
    new ProcessBuilder("gcc", "-c", source).start();  // ok: JAVA-NVCC
  }
}
