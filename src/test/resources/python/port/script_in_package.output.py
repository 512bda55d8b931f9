# path: pkg/x.py
# beside: pkg/__init__.py
import torch
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
torch.backends.cudnn.allow_tf32 = (False if is_rocm else True)
print("run")
