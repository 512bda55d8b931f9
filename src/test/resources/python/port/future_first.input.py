"""Doc."""
from __future__ import annotations
import pynvml
import torch


def f():
    """Doc."""
    return torch.compile(f, mode="max-autotune")
