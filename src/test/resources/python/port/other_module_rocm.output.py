import torch
from vllm_rocm import is_rocm
rocport_is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None

m = torch.compile(f, mode=("default" if rocport_is_rocm else "max-autotune"))
