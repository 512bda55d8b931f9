# path: pkg/x.py
# beside: pkg/__init__.py
# beside: pkg/_rocm.py
from . import y
import torch
import pynvml
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
torch.backends.cudnn.allow_tf32 = (False if is_rocm else True)
D = torch.zeros(1, dtype=torch.float8_e4m3fn)
