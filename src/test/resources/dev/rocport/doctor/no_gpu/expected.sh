# Written by rocport doctor; source it, do not run it.
# Builds look for ROCm in a folder that does not exist.
unset ROCM_PATH
