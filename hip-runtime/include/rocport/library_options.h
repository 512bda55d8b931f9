// Options of CUDA libraries for which ROCm has no function: the types and values alone, so that host
// code which names or prints them compiles. A call that takes one is not ported.
// Host, also C.
#ifndef ROCPORT_LIBRARY_OPTIONS_H
#define ROCPORT_LIBRARY_OPTIONS_H

/// Iterative refinement of cuSOLVER; the values are those of CUDA.
typedef enum rocport_irs_refinement {
  ROCPORT_IRS_REFINE_NOT_SET = 1100,
  ROCPORT_IRS_REFINE_NONE = 1101,
  ROCPORT_IRS_REFINE_CLASSICAL = 1102,
  ROCPORT_IRS_REFINE_CLASSICAL_GMRES = 1103,
  ROCPORT_IRS_REFINE_GMRES = 1104,
  ROCPORT_IRS_REFINE_GMRES_GMRES = 1105,
  ROCPORT_IRS_REFINE_GMRES_NOPCOND = 1106
} rocport_irs_refinement;

/// How cuBLAS chooses the number of mantissa bits of emulated floating point.
typedef enum rocport_emulation_mantissa {
  ROCPORT_EMULATION_MANTISSA_DYNAMIC = 0,
  ROCPORT_EMULATION_MANTISSA_FIXED = 1
} rocport_emulation_mantissa;

#endif  // ROCPORT_LIBRARY_OPTIONS_H
