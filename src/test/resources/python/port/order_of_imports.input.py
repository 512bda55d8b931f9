import pynvml
import envsetup
import torch

pynvml.nvmlInit()
