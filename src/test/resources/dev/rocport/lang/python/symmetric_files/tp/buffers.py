import torch
import torch.distributed._symmetric_memory as symm_mem

buf = symm_mem.empty(4, 4, device="cuda")
plain = torch.zeros(4, 4, device="cuda")
later = torch.zeros(4, 4, device="cuda")
with torch.cuda.use_mem_pool(symm_mem.get_mem_pool("cuda")):
    pooled = torch.zeros(4, 4, device="cuda")


def scratch(n):
    return symm_mem.empty(n, device="cuda")


def ordinary(n):
    return torch.empty(n, device="cuda")


def start():
    from . import buffers

    buffers.later = symm_mem.empty(4, 4, device="cuda")
