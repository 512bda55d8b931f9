import torch
del torch
import torch as t
t.backends.cudnn.allow_tf32 = True
