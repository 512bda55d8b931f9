# path: tools/top.py
"""Prints what the GPUs do."""
from __future__ import annotations

import sys
try:
    import pynvml
except ImportError:
    pynvml = None


def names():
    from py3nvml.py3nvml import nvmlInit, nvmlDeviceGetCount
    nvmlInit()
    return nvmlDeviceGetCount()
