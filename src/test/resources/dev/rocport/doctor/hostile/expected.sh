# Written by rocport doctor; source it, do not run it.
# The runtime treats every GPU as a GPU of a different architecture: it loads code objects that the hardware does not execute correctly.
unset HSA_OVERRIDE_GFX_VERSION
# The HIP runtime logs its calls: from level 3 on, it logs every call, which makes programs many times slower.
export AMD_LOG_LEVEL=0
# Builds look for ROCm in a folder that does not exist.
unset ROCM_PATH
# The setting prevents large blocks from being split: with expandable segments, as used on ROCm, allocations fail although much memory is free.
export PYTORCH_CUDA_ALLOC_CONF='a:'\''$(reboot)'\'''
