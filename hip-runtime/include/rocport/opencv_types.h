// The types with which OpenCV passes images to kernels.
//
//   OpenCV                             here (namespace rocport)
//   cv::cuda::PtrStepSz<T>, PtrStepSzb, PtrStepSzf, PtrStepSzi   the same types
//   cv::cuda::PtrStep<T>, PtrStepb, PtrStepf, PtrStepi           the same types
//   cv::cuda::PtrSz<T>, DevPtr<T>                                the same types
//
// OpenCV declares their members for the device only if the compiler is nvcc, which __CUDACC__ says.
// This header is included before those of OpenCV, and HIP's own headers before it, so that the macro
// is defined for one header of OpenCV only.
#ifndef ROCPORT_OPENCV_TYPES_H
#define ROCPORT_OPENCV_TYPES_H

#if __has_include(<opencv2/core/cuda_types.hpp>)
#if (defined(__HIP__) || defined(__HIPCC__)) && !defined(__CUDACC__)
#include <hip/hip_runtime.h>
#define __CUDACC__ 1
#include <opencv2/core/cuda_types.hpp>
#undef __CUDACC__
#else
#include <opencv2/core/cuda_types.hpp>
#endif

namespace rocport {
using cv::cuda::DevPtr;
using cv::cuda::PtrStep;
using cv::cuda::PtrStepb;
using cv::cuda::PtrStepf;
using cv::cuda::PtrStepi;
using cv::cuda::PtrStepSz;
using cv::cuda::PtrStepSzb;
using cv::cuda::PtrStepSzf;
using cv::cuda::PtrStepSzi;
using cv::cuda::PtrSz;
}  // namespace rocport
#endif

#endif
