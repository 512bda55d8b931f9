def f(m, o):
    import torch
    is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
    if is_rocm:
        from _rocm import compile_options
    return torch.compile(m, options=(compile_options(o) if is_rocm else o))
