# path: pkg/x.py
# beside: pkg/__init__.py
# beside: pkg/_rocm.py
from . import y
import torch
import pynvml
torch.backends.cudnn.allow_tf32 = True
D = torch.zeros(1, dtype=torch.float8_e4m3fn)
