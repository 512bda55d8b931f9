"""Tensors in safetensors files: whole ones, and large ones as summaries with samples.

The format of summaries is that of rocport_golden.h.
"""

import hashlib
import json
import math
import os
import struct

import torch

NAMES = {
    torch.bool: "BOOL",
    torch.uint8: "U8",
    torch.int8: "I8",
    torch.int16: "I16",
    torch.int32: "I32",
    torch.int64: "I64",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float32: "F32",
    torch.float64: "F64",
    torch.float8_e4m3fn: "F8_E4M3",
    torch.float8_e5m2: "F8_E5M2",
}
TYPES = {name: dtype for dtype, name in NAMES.items()}
SAMPLES = 256

# A complex number is stored as two real ones, in a last dimension of its own.
_PARTS = {torch.complex32: torch.float16, torch.complex64: torch.float32, torch.complex128: torch.float64}


def known(dtype):
    """Whether a capture can hold a type."""
    return dtype in NAMES or dtype in _PARTS


def name(dtype):
    """The name of a type, or of the parts of a complex one."""
    return NAMES[_PARTS.get(dtype, dtype)]


def real(tensor):
    """The tensor itself, or the parts of complex elements in a last dimension."""
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


def data(tensor):
    """The bytes of the elements in order of the indices."""
    # A single element may have any stride.
    flat = real(tensor.detach().cpu()).reshape(-1).clone(memory_format=torch.contiguous_format)
    return flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""


def digest(content):
    return hashlib.sha256(content).hexdigest()


def _mix(seed, i):
    mask = (1 << 64) - 1
    z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def _places(count):
    """One place in each of equal parts, as rocport_golden.h chooses them."""
    parts = min(SAMPLES, count)
    places = []
    for k in range(parts):
        first = count // parts * k + min(k, count % parts)
        length = count // parts + (1 if k < count % parts else 0)
        places.append(first + _mix(0, k) % length)
    return places


def _summary(tensor, name):
    shape = ",".join(str(d) for d in tensor.shape)
    values = tensor.double().reshape(-1)
    finite = values[torch.isfinite(values)]
    nan = int(torch.isnan(values).sum())
    text = "dtype=%s shape=%s sha256=%s finite=%d nan=%d inf=%d zero=%d" % (
        name, shape, digest(data(tensor)), finite.numel(), nan,
        values.numel() - finite.numel() - nan, int((finite == 0).sum()))
    if finite.numel():
        text += " min=%.17g max=%.17g mean=%.17g rms=%.17g" % (
            finite.min().item(), finite.max().item(), finite.mean().item(),
            math.sqrt((finite * finite).mean().item()))
    return text


class TensorFile:
    """Collects tensors and writes them in order of their names."""

    def __init__(self, most=None):
        self.most = most
        self.entries = {}
        self.metadata = {}

    def add(self, name, tensor):
        if not known(tensor.dtype):
            raise ValueError("no tensor type for " + str(tensor.dtype))
        tensor = real(tensor.detach().cpu())
        dtype = NAMES[tensor.dtype]
        content = data(tensor)
        if self.most is None or len(content) <= self.most:
            self.entries[name] = (dtype, list(tensor.shape), content)
            return
        flat = tensor.contiguous().reshape(-1)
        places = torch.tensor(_places(flat.numel()))
        raw = flat.view(torch.uint8).reshape(flat.numel(), -1)[places]
        self.entries[name + "@sample"] = (dtype, [len(places)], raw.numpy().tobytes())
        self.entries[name + "@index"] = ("I64", [len(places)], places.numpy().tobytes())
        self.metadata["tensor." + name] = _summary(tensor, dtype)

    def write(self, path):
        header = {"__metadata__": dict(sorted(self.metadata.items()))}
        at = 0
        for name, (dtype, shape, content) in sorted(self.entries.items()):
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(content)]}
            at += len(content)
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path + ".tmp", "wb") as out:
            out.write(struct.pack("<Q", len(text)) + text)
            for _, (_, _, content) in sorted(self.entries.items()):
                out.write(content)
        os.replace(path + ".tmp", path)


def read(path):
    """The tensors of a file by name."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        rest = file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, end = entry["data_offsets"]
        raw = torch.frombuffer(bytearray(rest[first:end]), dtype=torch.uint8) if end > first \
            else torch.empty(0, dtype=torch.uint8)
        tensors[name] = raw.view(TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors
