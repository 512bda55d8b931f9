// A replacement for CUDA's header, for a driver that is loaded at run time: all of it stays.
#pragma once

typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef CUresult CreateStream(CUstream* stream, unsigned int flags);
