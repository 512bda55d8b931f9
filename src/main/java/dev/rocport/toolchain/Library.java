package dev.rocport.toolchain;

import java.util.List;

/** A ROCm library that a ported program may link, with the headers that declare it. */
public enum Library {
  RUNTIME("amdhip64", "hip/hip_runtime.h", "hip/hip_ext.h", "hip/hip_gl_interop.h"),
  HIPRTC("hiprtc", "hip/hiprtc.h"),
  HIPBLAS("hipblas", "hipblas/hipblas.h"),
  HIPBLASLT("hipblaslt", "hipblaslt/hipblaslt.h"),
  HIPRAND("hiprand", "hiprand/hiprand.h"),
  HIPFFT("hipfft", "hipfft/hipfft.h", "hipfft/hipfftXt.h"),
  HIPSPARSE("hipsparse", "hipsparse/hipsparse.h"),
  HIPSOLVER("hipsolver", "hipsolver/hipsolver.h"),
  RCCL("rccl", "rccl/rccl.h"),
  ROCTX("roctx64", "roctracer/roctx.h"),
  ROCBLAS("rocblas", "rocblas/rocblas.h"),
  ROCSPARSE("rocsparse", "rocsparse/rocsparse.h"),
  ROCSOLVER("rocsolver", "rocsolver/rocsolver.h"),
  ROCRAND("rocrand", "rocrand/rocrand.h"),
  ROCFFT("rocfft", "rocfft/rocfft.h"),
  MIOPEN("MIOpen", "miopen/miopen.h");

  private final String linkName;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> headers;

  Library(String linkName, String... headers) {
    this.linkName = linkName;
    this.headers = List.of(headers);
  }

  /** The name after {@code -l}. */
  public String linkName() {
    return linkName;
  }

  /** The headers that declare its C functions, the usual one first, as an include spells them. */
  public List<String> headers() {
    return headers;
  }
}
