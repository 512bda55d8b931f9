import torch

lib = torch.library.Library("ours", "DEF")
lib.define("scaled(Tensor x, float s) -> Tensor")
lib.define("halved(Tensor x) -> Tensor")


@torch.library.impl(lib, "scaled", "CUDA")
def scaled(x, s):  # want: PY-SYMM-MEM-POOL
    return x * s


def halved(x):
    y = torch.empty_like(x)
    halve(x, y)
    return y


lib.impl("halved", halved, "CUDA"); ready = True  # want: PY-SYMM-MEM-OUT


@torch.compile
def reduce(x, group):
    y = torch.ops.symm_mem.two_shot_all_reduce_(torch.ops.ours.scaled(x, 0.5), "sum", group)  # want: PY-SYMM-MEM
    return torch.ops.symm_mem.one_shot_all_reduce(torch.ops.ours.halved(x), "sum", group)  # want: PY-SYMM-MEM
