// Handles declared as in CUDA's headers, so that this header needs none of them.
#pragma once

typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;

struct LossOptions {
  hipStream_t stream;
  hipEvent_t done;
};
