"""A script that belongs to the package, since it imports it."""
import torch

from eight.kernels import bytes_of

print(bytes_of(torch.zeros(8).to(torch.float8_e5m2)))  # want: PY-FP8
