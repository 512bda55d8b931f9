package dev.rocport.device.nativecode;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The vectors of the host that native code uses. */
enum HostVectors {
  AVX2(8, "-mno-avx512f"),
  AVX512(16, "-mprefer-vector-width=512");

  /** The extensions of AVX-512 for operations on elements of 8 to 64 bits and on masks. */
  private static final Set<String> NEEDED =
      Set.of("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl");

  /** Lanes of a chunk. */
  final int lanes;

  /** Tells clang which vectors it may use. */
  final String flag;

  HostVectors(int lanes, String flag) {
    this.lanes = lanes;
    this.flag = flag;
  }

  /** The widest vectors of this processor; AVX2 if {@code ROCPORT_VECTORS} is {@code avx2}. */
  static HostVectors here() throws IOException {
    return here(NativeFolder.processor(), System.getenv());
  }

  /**
   * As {@link #here()}.
   *
   * @param processor the flags of the processor, separated by spaces
   */
  static HostVectors here(String processor, Map<String, String> environment) {
    boolean wide = Set.copyOf(List.of(processor.split("\\s+"))).containsAll(NEEDED);
    return wide && !"avx2".equals(environment.get("ROCPORT_VECTORS")) ? AVX512 : AVX2;
  }

  /** All vectors that this processor has. */
  static List<HostVectors> all() throws IOException {
    return here(NativeFolder.processor(), Map.of()) == AVX2 ? List.of(AVX2) : List.of(values());
  }
}
