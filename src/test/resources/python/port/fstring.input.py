import torch
x = f"{torch.float8_e4m3fn}"
y = f"{torch.compile(f, mode='max-autotune')!r:>{10}}"
