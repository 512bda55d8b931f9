// options: --style single-source
class Cuda {
  final MemorySegment init = lookup.findOrThrow("cuInit");  // want: JAVA-SINGLE-SOURCE
}
