import os
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:1"
import torch
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
if is_rocm:
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = ""