import sys
import os
if sys.platform == "x":
    from ._rocm import is_rocm
import torch
m = torch.compile(f, mode="max-autotune")
