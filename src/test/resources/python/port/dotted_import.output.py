# path: pkg/x.py
# beside: pkg/__init__.py
# beside: pkg/io.py
# beside: pkg/helper.py
import io.open
import helper.more
import torch
from ._rocm import is_rocm
torch.backends.cudnn.allow_tf32 = (False if is_rocm else True)
