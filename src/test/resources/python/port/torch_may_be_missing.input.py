import os
try:
    import torch
except ImportError:
    torch = None


def f(env):
    env["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:1"
    return env
