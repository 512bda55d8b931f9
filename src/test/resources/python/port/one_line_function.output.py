def outer(m):
    def inner(): import torch; return torch.compile(m, mode="max-autotune")
    return inner
