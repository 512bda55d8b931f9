import torch
from torch.utils.cpp_extension import CUDAExtension
def f(x, *, mode="max-autotune"):
    """Doc with torch.compile in it."""
    return torch.compile(lambda y: y @ y, mode=mode)(x) if torch.cuda.is_available() else x
match f:
    case [a, *_] if a: print(f"{a!r:>{10}}")
