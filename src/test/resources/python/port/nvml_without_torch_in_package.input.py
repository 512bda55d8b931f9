# path: pkg/tools/x.py
# beside: pkg/__init__.py
# beside: pkg/tools/__init__.py
import os
from . import y


@y.cached
def memory():
    import pynvml
    pynvml.nvmlInit()


def fast(model):
    return model.compile(mode="max-autotune")
