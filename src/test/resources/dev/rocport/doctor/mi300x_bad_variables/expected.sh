# Written by rocport doctor; source it, do not run it.
# Some images for AMD GPUs set it. Every matrix product and convolution is then benchmarked in many variants when a model is compiled: minutes to hours, and often a hang.
unset TORCHINDUCTOR_MAX_AUTOTUNE
# Each pointwise kernel is compiled and timed in many variants.
unset TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE
# These back ends write kernels for NVIDIA GPUs only.
export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN
# The runtime takes every GPU for another architecture than the one that is there: code objects are loaded that the hardware does not run as they mean.
unset HSA_OVERRIDE_GFX_VERSION
# Kernels that can replay page faults run slower, and libraries built without it do not load.
unset HSA_XNACK
# Scratch memory is given back and asked for again between kernels, which stalls kernels that spill.
export HSA_NO_SCRATCH_RECLAIM=1
# Beyond the hardware's own queues the driver switches between them.
export GPU_MAX_HW_QUEUES=2
# The HIP runtime writes lines about its calls: from level 3 on about every one, which slows programs down many times.
export AMD_LOG_LEVEL=0
# PyTorch's extension builder looks for ROCm in a folder that is not there.
unset ROCM_HOME
# Extensions are built for other architectures than the GPU that is here: no kernel image will be found.
unset PYTORCH_ROCM_ARCH
# It keeps large blocks from being split: with segments that expand, as used on ROCm, memory runs out with much of it free.
export PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True,roundup_power2_divisions:[256:1,512:2,>:4]'
# It keeps large blocks from being split: with segments that expand, as used on ROCm, memory runs out with much of it free.
unset PYTORCH_HIP_ALLOC_CONF
# RCCL reads NCCL's variables. It writes lines about each communicator, with TRACE about each call.
export NCCL_DEBUG=WARN
# RCCL reads NCCL's variables. GPUs of one machine talk through host memory instead of xGMI.
unset NCCL_P2P_DISABLE
# uv takes CUDA builds of PyTorch.
unset UV_TORCH_BACKEND
