"""Signals between blocks and GPUs for this program's Triton kernels on ROCm. Written by rocport.

Nothing here has an effect on other builds: kernels test ``is_rocm``, which Triton evaluates when it compiles, and keep
their inline PTX there. On ROCm they call functions of an LLVM bitcode library such as ``rocport_gfx942.bc``, which
``rocport toolchain env`` makes from ``hip-runtime/triton/signals.c``; the comment there says how to make it by hand.
The module searches the folder that ROCPORT_TRITON_LIBRARY names, then ``amdgcn/rocport`` below ROCM_PATH. After the
import of this module, Triton links the library to kernels that call it; others do not change.

Flags that another GPU reads or writes must be in fine-grained or uncached memory.
"""

import functools
import os

try:
    import torch
    import triton.language as tl
    from triton.language import core
except ImportError:
    core = None
    is_rocm = False
else:
    # A name that kernels can read. In Python it is a truth value.
    is_rocm = tl.constexpr(hasattr(torch.version, "hip") and torch.version.hip is not None)

__all__ = ["is_rocm", "rocm_atomic_spin_wait", "rocm_atomic_write", "rocm_get_tid"]

_ORDERS = {"atomicwrite": ("relaxed", "release"), "atomicspinwait": ("relaxed", "acquire")}
_SCOPES = ("system", "gpu", "cta")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _extern(function):
    """A function that Triton calls while it compiles a kernel; Triton before 3.4 has no _semantic."""
    return function if core is None else core.extern(function)


@_extern
def rocm_get_tid(_semantic=None):
    """Returns the number of the thread in its block."""
    return _call("rocport_getthreadid", [], _semantic)


@_extern
def rocm_atomic_write(flag, value, mask=None, sem="release", scope="system", _semantic=None):
    """Stores 32 bits in a flag if the mask is not 0; returns 0."""
    return _signal("atomicwrite", flag, value, mask, sem, scope, "", _semantic)


@_extern
def rocm_atomic_spin_wait(flag, expected, mask=None, sem="acquire", scope="system", loop="lt", _semantic=None):
    """Waits WHILE the unsigned comparison of a flag with the expected value is true, if the mask is not 0; returns 0.

    ``loop="lt"`` ends when the flag is at least as large.
    """
    return _signal("atomicspinwait", flag, expected, mask, sem, scope, _value(loop), _semantic)


def _signal(what, flag, value, mask, sem, scope, loop, semantic):
    sem = _value(sem)
    scope = _value(scope)
    if sem not in _ORDERS[what] or scope not in _SCOPES or (loop and loop not in _COMPARISONS):
        raise ValueError(f"{what} has no form {sem} {scope} {loop}".rstrip())
    arguments = [tl.cast(flag, tl.int64, _semantic=semantic), _word(value, semantic)]
    masked = _value(mask) is not None
    if masked:
        arguments.append(_word(mask, semantic))
    name = f"rocport_{what}_{sem}_{scope}"
    name += f"_while_{loop}" if loop else ""
    return _call(name + ("_mask_at" if masked else "_nomask_at"), arguments, semantic)


def _call(name, arguments, semantic):
    options = semantic.builder.options
    if "rocport" not in dict(options.extern_libs or ()):
        raise RuntimeError(
            f"{name} is in rocport_{options.arch}.bc, which is neither in the folder that"
            " ROCPORT_TRITON_LIBRARY names nor in amdgcn/rocport below ROCM_PATH: rocport toolchain env makes it"
        )
    types = (tl.int64, tl.int32, tl.int32)[: len(arguments)]
    return core.extern_elementwise("rocport", "", arguments, {types: (name, tl.int32)}, is_pure=False, _semantic=semantic)


def _value(x):
    return x.value if isinstance(x, tl.constexpr) else x


def _word(x, semantic):
    """Returns 32 bits unchanged, like the constraint r; Triton rejects other sizes."""
    return tl.cast(x, tl.int32, bitcast=True, _semantic=semantic)


def _library(arch):
    """Returns the library for an architecture such as "gfx942"; empty if there is none."""
    arch = arch.split(":")[0]
    folders = [os.environ.get("ROCPORT_TRITON_LIBRARY", "")]
    folders.append(os.path.join(os.environ.get("ROCM_PATH") or "/opt/rocm", "amdgcn", "rocport"))
    for folder in folders:
        path = os.path.join(folder, f"rocport_{arch}.bc")
        if folder and os.path.exists(path):
            return path
    return ""


def _install():
    """Adds the library to each compilation for AMD GPUs; Triton links it if a kernel calls one of its functions."""
    try:
        from triton.backends.amd.compiler import HIPOptions
    except ImportError:
        return
    original = HIPOptions.__post_init__
    if hasattr(original, "rocport_wrapped"):
        return

    @functools.wraps(original)
    def __post_init__(self):
        original(self)
        libraries = dict(self.extern_libs or {})
        path = _library(self.arch or "")
        if path and "rocport" not in libraries:
            object.__setattr__(self, "extern_libs", tuple({**libraries, "rocport": path}.items()))

    __post_init__.rocport_wrapped = True
    HIPOptions.__post_init__ = __post_init__


if is_rocm:
    _install()
