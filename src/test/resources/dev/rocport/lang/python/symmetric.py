"""Collectives on symmetric memory; after each line, its expected finding: rule, severity, argument."""
import torch
import torch.distributed._symmetric_memory as symm_mem

ops = torch.ops.symm_mem


class M(torch.nn.Module):
    def __init__(self, w):
        super().__init__()
        self.w = w
        self.buf = symm_mem.empty(4, 4, device="cuda")
        self.register_buffer("other", torch.zeros(4))

    def helper(self, x):
        return (x @ self.w).view(-1)

    def forward(self, x, g):
        a = ops.one_shot_all_reduce(self.buf, "sum", g)  # told: PY-SYMM-MEM note input
        b = ops.one_shot_all_reduce(self.helper(x), "sum", g)  # told: PY-SYMM-MEM note input
        if x.numel() > 4:
            y = torch.ops.mylib.scale(x)
        else:
            y = x.clone()
        y.add_(1)
        c = ops.one_shot_all_reduce(y[0], "sum", g)  # told: PY-SYMM-MEM warning input
        ops.two_shot_all_reduce_(y, "sum", g)  # told: PY-SYMM-MEM warning input
        return a, b, c


m = torch.compile(M(torch.ones(4, 4)), dynamic=False)


def inner(t, g):
    return ops.one_shot_all_reduce(t, "sum", g)  # told: PY-SYMM-MEM warning input


@torch.compile(dynamic=True, fullgraph=True)
def outer(x, g):
    z = x * 2
    for i in range(3):
        r = inner(z, g)
        z = torch.ops.mylib.other(z)
    ops.two_shot_all_reduce_(x, "sum", g)  # told: PY-SYMM-MEM warning input
    return r


@torch.compile
def dispatch(x, out, splits, so, g):
    ops.all_to_all_vdev_2d(x, out, splits.long(), so, g)  # told: PY-SYMM-MEM note input, PY-SYMM-MEM-WRITE error out, PY-SYMM-MEM warning in_splits
    ops.all_to_all_vdev_2d_offset(x, torch.empty_like(x), splits, so, g)  # told: PY-SYMM-MEM note input, PY-SYMM-MEM note out
    return out


def eager(x, g):
    pool = symm_mem.get_mem_pool(x.device)
    with torch.cuda.use_mem_pool(pool):
        y = x * 2
    ops.one_shot_all_reduce(y, "sum", g)
    z = symm_mem.empty(4, device="cuda")
    symm_mem.rendezvous(z, g)
    z.copy_(x)
    ops.one_shot_all_reduce(z, "sum", g)
    ops.one_shot_all_reduce(x, "sum", g)
    if usable():
        z = z.view(2, 2)
    ops.one_shot_all_reduce(z, "sum", g)
    ops.one_shot_all_reduce(torch.zeros(4), "sum", g)  # told: PY-SYMM-MEM warning input


@torch.compile(backend="eager")
def other(x, g):
    return ops.one_shot_all_reduce(x, "sum", g)


@torch.library.custom_op("mine::summed", mutates_args=())
def summed(x: torch.Tensor, group_name: str) -> torch.Tensor:
    return torch.ops.symm_mem.one_shot_all_reduce(x, "sum", group_name)


@torch.compile
def uses(x, g):
    a = summed(x, g)
    b = torch.ops.mine.summed(torch.ops.mylib.scale(x), g)  # told: PY-SYMM-MEM warning x
    return a + b


async def tail(x, g, *rest, **more):
    return ops.one_shot_all_reduce(*rest, **more)


@torch.compile(fullgraph=True)
def around(x, g):
    z = x.sin()

    def later():
        return ops.one_shot_all_reduce(z, "sum", g)  # told: PY-SYMM-MEM note input

    return later() + ops.one_shot_all_reduce(x if flag else z, "sum", g)  # told: PY-SYMM-MEM note input


@torch.library.custom_op("mine::here", mutates_args=())
def here(x: torch.Tensor) -> torch.Tensor:  # told: PY-SYMM-MEM-ARGS warning
    return torch.ops.symm_mem.one_shot_all_reduce(x, "sum", "0")
