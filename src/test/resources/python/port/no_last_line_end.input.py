import os
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:1"
import torch