# path: pkg/x.py
# beside: pkg/__init__.py
# beside: pkg/io.py
# beside: pkg/helper.py
import io.open
import helper.more
import torch
torch.backends.cudnn.allow_tf32 = True
