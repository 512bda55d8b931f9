"""Compiles something else."""
import torch


@torch.compile
def not_compiled(x):
    return x + 1
