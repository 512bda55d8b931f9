import torch


def bytes_of(x):
    if x.dtype == torch.float8_e4m3fn:  # want: PY-FP8
        return x.numel()
    return x.numel() * x.element_size()
