import triton
import os as _os  # for is_rocm
is_rocm = _os.path.exists("/dev/kfd") and not any(map(_os.path.exists, ("/dev/nvidiactl", "/proc/driver/nvidia")))
if is_rocm:
    import _rocm_nvml as pynvml
else:
    import pynvml

pynvml.nvmlInit()
