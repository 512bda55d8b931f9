import torch
rocport_is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
class A:
    is_rocm = True
    m = torch.compile(f, mode=("default" if rocport_is_rocm else "max-autotune"))
