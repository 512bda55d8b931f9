# Written by rocport doctor; source it, do not run it.
# Builds look for ROCm in a folder that is not there.
unset ROCM_PATH
