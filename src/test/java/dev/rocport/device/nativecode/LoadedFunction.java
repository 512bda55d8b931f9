package dev.rocport.device.nativecode;

/** The native function of a region, written, compiled and loaded. */
record LoadedFunction(NativeBlock.Library library, Entries entries) {
  /** Compiles a region for the vectors of a compiler. */
  static LoadedFunction of(Region region, HostCompiler compiler) throws Exception {
    WaveFunction.Written written = WaveFunction.write(region, compiler.vectors().lanes);
    return new LoadedFunction(
        NativeBlock.Library.load(compiler.compile(written.text()).orElseThrow()),
        written.entries());
  }

  /** A block that runs from an entry. */
  NativeBlock block(int entry) {
    return new NativeBlock(library, entry, entries, null);
  }
}
