# path: pkg/x.py
# beside: pkg/__init__.py
import torch
torch.backends.cudnn.allow_tf32 = True
print("run")
