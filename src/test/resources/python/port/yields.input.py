import torch
def f(m):
    return torch.compile(m, mode=(yield))
def g(m):
    return torch.compile(m, mode=[x for x in m][0], options=(x for x in m))
async def h(m):
    return torch.compile(m, mode=await m)
def i(m):
    return torch.compile(m, mode=m if m else "x", **(m or {}))
