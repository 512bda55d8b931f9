import torch

from . import buffers
from .buffers import buf, ordinary, plain, scratch

ops = torch.ops.symm_mem


def eager(x, g):
    ops.one_shot_all_reduce(buf, "sum", g)
    ops.one_shot_all_reduce(buffers.buf.view(-1), "sum", g)
    ops.one_shot_all_reduce(buffers.pooled, "sum", g)
    ops.one_shot_all_reduce(buffers.later, "sum", g)
    ops.one_shot_all_reduce(scratch(4), "sum", g)
    ops.one_shot_all_reduce(x, "sum", g)
    ops.one_shot_all_reduce(plain, "sum", g)  # told: PY-SYMM-MEM warning input
    ops.one_shot_all_reduce(buffers.plain, "sum", g)  # told: PY-SYMM-MEM warning input
    ops.one_shot_all_reduce(ordinary(4), "sum", g)  # told: PY-SYMM-MEM warning input


def reduce(x, g):
    y = x * 2
    a = ops.one_shot_all_reduce(y, "sum", g)  # told: PY-SYMM-MEM note input
    b = ops.one_shot_all_reduce(buf, "sum", g)  # told: PY-SYMM-MEM note input
    return a + b + helper(y, g) + helper(scratch(4), g)


def helper(t, g):
    return ops.one_shot_all_reduce(t, "sum", g)  # told: PY-SYMM-MEM note input


def signals(x, g):
    return ops.get_remote_tensors(x, g)


def of_ordinary(x, g):
    return ops.get_remote_tensors(x, g)  # told: PY-SYMM-MEM warning x


def not_compiled(x, g):
    y = x * 2
    return ops.one_shot_all_reduce(y, "sum", g)  # told: PY-SYMM-MEM warning input


class RowParallel(torch.nn.Module):
    def forward(self, x, g):
        y = x @ x
        return ops.two_shot_all_reduce_(y, "sum", g)  # told: PY-SYMM-MEM warning input
