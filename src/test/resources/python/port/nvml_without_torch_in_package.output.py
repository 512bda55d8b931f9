# path: pkg/tools/x.py
# beside: pkg/__init__.py
# beside: pkg/tools/__init__.py
import os
from . import y


import os as _os  # for is_rocm
is_rocm = _os.path.exists("/dev/kfd") and not any(map(_os.path.exists, ("/dev/nvidiactl", "/proc/driver/nvidia")))
@y.cached
def memory():
    if is_rocm:
        from .. import _rocm_nvml as pynvml
    else:
        import pynvml
    pynvml.nvmlInit()


def fast(model):
    return model.compile(mode="max-autotune")
