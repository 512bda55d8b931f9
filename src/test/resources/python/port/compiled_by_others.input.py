import torch
import triton


@torch.jit.script
def f(x):
    return x.to(torch.float8_e4m3fn)


@triton.jit
def k(x):
    y = torch.float8_e4m3fn
