import torch
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
if is_rocm:
    from _rocm import compile_arguments
def f(m):
    return torch.compile(m, mode=(yield))
def g(m):
    return torch.compile(m, mode=[x for x in m][0], options=(x for x in m))
async def h(m):
    return torch.compile(m, mode=("default" if is_rocm else await m))
def i(m):
    return torch.compile(m, mode=("default" if is_rocm else m if m else "x"), **((compile_arguments(m or {}) if is_rocm else m or {})))
