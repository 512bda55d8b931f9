import sys
import os
if sys.platform == "x":
    from ._rocm import is_rocm
import torch
rocport_is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
m = torch.compile(f, mode=("default" if rocport_is_rocm else "max-autotune"))
