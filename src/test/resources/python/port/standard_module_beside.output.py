# path: a/x.py
# beside: a/random.py
import random
import torch
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
torch.backends.cudnn.allow_tf32 = (False if is_rocm else True)
