// Handles declared as in CUDA's headers, so that this header needs none of them.
#pragma once

typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* cudaEvent_t;

struct LossOptions {
  CUstream stream;
  cudaEvent_t done;
};
