import torch
lr = 1.0
flag = True
torch.backends.cuda.matmul.allow_tf32 = True
config = {k: v for k, v in globals().items() if isinstance(v, (int, float, bool))}
print(config)
