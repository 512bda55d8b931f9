"""Doc."""
from __future__ import annotations
import torch  # for is_rocm
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
if is_rocm:
    import _rocm_nvml as pynvml
else:
    import pynvml
import torch


def f():
    """Doc."""
    return torch.compile(f, mode=("default" if is_rocm else "max-autotune"))
