# Written by rocport doctor; source it, do not run it.
# Some images for AMD GPUs set this variable. With it, compiling a model benchmarks many variants of every matrix product and convolution, which takes minutes to hours and often hangs.
unset TORCHINDUCTOR_MAX_AUTOTUNE
# Each pointwise kernel is compiled and timed in many variants.
unset TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE
# These back ends generate kernels for NVIDIA GPUs only.
export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN
# The runtime treats every GPU as a GPU of a different architecture: it loads code objects that the hardware does not execute correctly.
unset HSA_OVERRIDE_GFX_VERSION
# Kernels with page-fault replay run slower, and libraries built without it do not load.
unset HSA_XNACK
# Scratch memory is freed and reallocated between kernels, which stalls kernels that spill.
export HSA_NO_SCRATCH_RECLAIM=1
# With more queues than the hardware has, the driver switches between them.
export GPU_MAX_HW_QUEUES=2
# The HIP runtime logs its calls: from level 3 on, it logs every call, which makes programs many times slower.
export AMD_LOG_LEVEL=0
# The PyTorch extension builder looks for ROCm in a folder that does not exist.
unset ROCM_HOME
# Extensions are not built for the GPU of this machine, so HIP finds no kernel image in them.
unset PYTORCH_ROCM_ARCH
# The setting prevents large blocks from being split: with expandable segments, as used on ROCm, allocations fail although much memory is free.
export PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True,roundup_power2_divisions:[256:1,512:2,>:4]'
# The setting prevents large blocks from being split: with expandable segments, as used on ROCm, allocations fail although much memory is free.
unset PYTORCH_HIP_ALLOC_CONF
# RCCL reads NCCL variables. It logs each communicator and, with TRACE, each call.
export NCCL_DEBUG=WARN
# RCCL reads NCCL variables. GPUs of one machine communicate through host memory instead of xGMI.
unset NCCL_P2P_DISABLE
# uv installs CUDA builds of PyTorch.
unset UV_TORCH_BACKEND
