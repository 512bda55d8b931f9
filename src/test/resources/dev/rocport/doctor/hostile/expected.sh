# Written by rocport doctor; source it, do not run it.
# The runtime takes every GPU for another architecture than the one that is there: code objects are loaded that the hardware does not run as they mean.
unset HSA_OVERRIDE_GFX_VERSION
# The HIP runtime writes lines about its calls: from level 3 on about every one, which slows programs down many times.
export AMD_LOG_LEVEL=0
# Builds look for ROCm in a folder that is not there.
unset ROCM_PATH
# It keeps large blocks from being split: with segments that expand, as used on ROCm, memory runs out with much of it free.
export PYTORCH_CUDA_ALLOC_CONF='a:'\''$(reboot)'\'''
