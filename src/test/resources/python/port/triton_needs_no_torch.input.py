import triton
import pynvml

pynvml.nvmlInit()
