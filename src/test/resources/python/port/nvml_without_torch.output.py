# path: tools/top.py
"""Prints what the GPUs do."""
from __future__ import annotations

import sys
import os as _os  # for is_rocm
is_rocm = _os.path.exists("/dev/kfd") and not any(map(_os.path.exists, ("/dev/nvidiactl", "/proc/driver/nvidia")))
try:
    if is_rocm:
        import _rocm_nvml as pynvml
    else:
        import pynvml
except ImportError:
    pynvml = None


def names():
    if is_rocm:
        from _rocm_nvml import nvmlInit, nvmlDeviceGetCount
    else:
        from py3nvml.py3nvml import nvmlInit, nvmlDeviceGetCount
    nvmlInit()
    return nvmlDeviceGetCount()
