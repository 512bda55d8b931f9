from typing import TYPE_CHECKING
import os
if TYPE_CHECKING:
    import torch


def f(env):
    env["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:1"
    return env
