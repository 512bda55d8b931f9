import torch
# \
import pynvml
x = 1; \
import pynvml
