package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Arrays;

/** Distinguishes names that only CUDA libraries use from all other names. */
final class UnknownNames {
  private static final String[] PREFIXES = {
    "cuda",
    "cublas",
    "cusparse",
    "cusolver",
    "cufft",
    "curand",
    "cudnn",
    "cutensor",
    "nvrtc",
    "nvml",
    "nvtx",
    "nccl",
    "nvjpeg",
    "nvgraph",
    "cupti",
    "CUDA_",
    "CUBLAS_",
    "CUSPARSE_",
    "CUSOLVER_",
    "CUFFT_",
    "CURAND_",
    "CUDNN_",
    "CUPTI_",
    "CUDART_",
    "NVTX_",
    "NPP_",
    "NVRTC_",
    "NVML_",
    "NCCL_",
    "CU_",
    "cu",
    "npp",
    "nvshmem",
    "NVSHMEM"
  };

  private UnknownNames() {}

  /**
   * True if the identifier at {@code i} has the form of a CUDA name: cudaX, cuX, CUDA_X, nvrtcX...
   */
  static boolean isSuspect(Tokens t, int i) {
    byte[] b = t.file().bytes();
    int s = t.start(i);
    int e = t.end(i);
    byte c = b[s];
    if ((c != 'c' && c != 'C' && c != 'n' && c != 'N') || e - s < 5) {
      return false;
    }
    for (String p : PREFIXES) {
      int k = 0;
      while (k < p.length() && s + k < e && b[s + k] == p.charAt(k)) {
        k++;
      }
      if (k == p.length() && s + k < e) {
        byte next = b[s + k];
        boolean upper = next >= 'A' && next <= 'Z';
        boolean wanted =
            switch (p) {
              case "npp" -> next == 'i' || next == 's';
              case "nvshmem", "NVSHMEM" -> next == '_' || next == 'x' || next == 'X';
              default -> upper;
            };
        if (wanted) {
          return isUse(t, i, p);
        }
      }
    }
    return false;
  }

  /** Whether a text begins like a name of CUDA, by more than two letters. */
  static boolean isBeginning(String text) {
    return Arrays.stream(PREFIXES).anyMatch(p -> p.length() > 2 && text.startsWith(p));
  }

  /** Types and calls count; so do constants; a plain variable does not. */
  private static boolean isUse(Tokens t, int i, String prefix) {
    if (prefix.endsWith("_") || prefix.equals("NVSHMEM")) {
      return true;
    }
    if (t.is(i + 1, '(') || t.is(i + 1, "<") || t.isPair(i + 1, ':')) {
      return true;
    }
    return t.text(i).endsWith("_t") || t.isIdentifier(i + 1);
  }
}
