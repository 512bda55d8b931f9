"""Signals between blocks and GPUs for this program's Triton kernels on ROCm. Written by rocport.

Nothing here acts on another build: kernels ask ``is_rocm``, which Triton reads while it compiles, and keep their inline
PTX there. On ROCm they call functions of a library in LLVM's bitcode, ``rocport_gfx942.bc`` and its like, which
``rocport toolchain env`` makes of ``hip-runtime/triton/signals.c``, whose first lines say how to make it by hand. It
is looked for in the folder that ROCPORT_TRITON_LIBRARY names, then in ``amdgcn/rocport`` below ROCM_PATH. Importing
this module has Triton link it to kernels that call it; others stay as they are.

Flags that another GPU reads or writes must lie in fine-grained or uncached memory.
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
    # A name that kernels can read. Python takes it for the truth value that it is.
    is_rocm = tl.constexpr(hasattr(torch.version, "hip") and torch.version.hip is not None)

__all__ = ["is_rocm", "rocm_atomic_spin_wait", "rocm_atomic_write", "rocm_get_tid"]

_ORDERS = {"atomicwrite": ("relaxed", "release"), "atomicspinwait": ("relaxed", "acquire")}
_SCOPES = ("system", "gpu", "cta")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _extern(function):
    """A function that Triton calls while it compiles a kernel; before 3.4 it had no _semantic."""
    return function if core is None else core.extern(function)


@_extern
def rocm_get_tid(_semantic=None):
    """The number of the thread in its block."""
    return _call("rocport_getthreadid", [], _semantic)


@_extern
def rocm_atomic_write(flag, value, mask=None, sem="release", scope="system", _semantic=None):
    """Stores 32 bits at a flag, where the mask is not 0; gives 0."""
    return _signal("atomicwrite", flag, value, mask, sem, scope, "", _semantic)


@_extern
def rocm_atomic_spin_wait(flag, expected, mask=None, sem="acquire", scope="system", loop="lt", _semantic=None):
    """Waits WHILE a flag compares so with what is expected, as unsigned numbers, where the mask is not 0; gives 0.

    ``loop="lt"`` ends when the flag is as large or larger.
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
    """32 bits as they are, as the constraint r takes them; Triton refuses what has another size."""
    return tl.cast(x, tl.int32, bitcast=True, _semantic=semantic)


def _library(arch):
    """The library for an architecture, as "gfx942"; empty if there is none."""
    arch = arch.split(":")[0]
    folders = [os.environ.get("ROCPORT_TRITON_LIBRARY", "")]
    folders.append(os.path.join(os.environ.get("ROCM_PATH") or "/opt/rocm", "amdgcn", "rocport"))
    for folder in folders:
        path = os.path.join(folder, f"rocport_{arch}.bc")
        if folder and os.path.exists(path):
            return path
    return ""


def _install():
    """Has each compilation for AMD's GPUs know the library; Triton links it where a name of it is called."""
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
