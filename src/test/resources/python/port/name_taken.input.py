import torch
class A:
    is_rocm = True
    m = torch.compile(f, mode="max-autotune")
