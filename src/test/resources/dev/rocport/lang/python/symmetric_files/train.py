"""Compiles what the package defines; symmetric memory has no name here."""
import torch

import tp.layers
from tp import RowParallel, reduce_all
from tp.buffers import buf, plain
from tp.layers import of_ordinary, signals

fast = torch.compile(reduce_all)
model = torch.compile(RowParallel(), fullgraph=True)
fast_signals = torch.compile(signals)
fast_ordinary = torch.compile(of_ordinary)


def step(g):
    fast(buf, g)
    fast_signals(buf, g)
    fast_ordinary(plain, g)
    tp.layers.not_compiled(buf, g)
    return model(buf, g)
