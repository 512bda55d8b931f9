# path: a/x.py
# beside: a/random.py
import random
import torch
torch.backends.cudnn.allow_tf32 = True
