import torch
from vllm_rocm import is_rocm

m = torch.compile(f, mode="max-autotune")
