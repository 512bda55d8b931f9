/* The parameters of a context in CUDA 12.5 and later. HIP's contexts take none, so that the port drops
   them in calls of cuCtxCreate; this type is for the variables that hold them. */
#ifndef ROCPORT_CONTEXT_H
#define ROCPORT_CONTEXT_H

typedef struct rocport_context_params {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
} rocport_context_params;

#endif /* ROCPORT_CONTEXT_H */
