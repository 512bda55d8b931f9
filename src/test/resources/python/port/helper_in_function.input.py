def f(m, o):
    import torch
    return torch.compile(m, options=o)
