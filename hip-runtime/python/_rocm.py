"""ROCm-specific behavior of this program. Written by rocport; nothing here has an effect on other builds.

Importing this module on a ROCm build of PyTorch wraps ``torch.compile`` once, so that calls anywhere
in the process that request graph capture or autotuning use the default mode. Start the program with
ROCPORT_KEEP_COMPILE=1 to keep ``torch.compile`` and Inductor unchanged.
"""

import functools
import os
import sys
import threading
from collections.abc import Mapping

try:
    import torch
except ImportError:
    torch = None
    is_rocm = False
else:
    is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None

__all__ = [
    "alloc_conf",
    "compile_arguments",
    "compile_mode",
    "compile_options",
    "fp8_e4m3",
    "fp8_e5m2",
    "gcn_arch",
    "is_rocm",
    "symm_mem_custom_op",
    "symm_mem_out_variant",
    "symm_mem_pool",
    "symm_mem_result",
]

# Modes that capture graphs or measure candidate kernels. A tuple: members of a string enumeration compare
# equal to their text but do not hash like it.
_MODES = ("reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")

# Settings of torch._inductor.config, which are also keys of torch.compile's options, and their values on ROCm.
_SETTINGS = {
    "triton.cudagraphs": False,
    "triton.cudagraph_trees": False,
    "memory_planning": False,
    "max_autotune": False,
    "max_autotune_pointwise": False,
    "max_autotune_gemm": False,
    "max_autotune_gemm_backends": "ATEN",
}

_FNUZ = ("gfx940", "gfx941", "gfx942")


def gcn_arch(device=None):
    """Returns the architecture of a GPU without its features, e.g. "gfx942"; "" without ROCm or a GPU.

    The call starts the GPU runtime in this process, so do not call it before a fork whose child uses the GPU.
    """
    if not is_rocm or not torch.cuda.is_available():
        return ""
    return torch.cuda.get_device_properties(device).gcnArchName.split(":")[0]


def fp8_e4m3(device=None):
    """Returns the 8-bit type with 4 exponent bits of the GPU."""
    return _fp8("float8_e4m3fn", "float8_e4m3fnuz", device)


def fp8_e5m2(device=None):
    """Returns the 8-bit type with 5 exponent bits of the GPU."""
    return _fp8("float8_e5m2", "float8_e5m2fnuz", device)


def _fp8(ocp, fnuz, device):
    """Only gfx940 to gfx942 have the types with a larger bias, without infinities and negative zero."""
    if torch is None:
        raise ImportError("PyTorch is not installed")
    if not is_rocm:
        return getattr(torch, ocp)
    arch = gcn_arch(device)
    if arch in _FNUZ:
        return getattr(torch, fnuz)
    # Also on GPUs without 8-bit arithmetic, such as gfx90a: conversions work there, matrix products raise an error.
    return getattr(torch, ocp)


def compile_mode(mode):
    """Returns a mode of torch.compile, adapted to this build."""
    return "default" if is_rocm and mode in _MODES else mode


def compile_options(options):
    """Returns options of torch.compile, adapted to this build, without changing the argument."""
    if not is_rocm or not isinstance(options, Mapping):
        return options
    # torch accepts "max-autotune" for "max_autotune".
    return {name: _SETTINGS.get(str(name).replace("-", "_"), value) for name, value in options.items()}


def compile_arguments(arguments):
    """Returns keyword arguments of torch.compile, adapted to this build, for ``**``."""
    if not is_rocm:
        return arguments
    arguments = dict(arguments)
    if "mode" in arguments:
        arguments["mode"] = compile_mode(arguments["mode"])
    if "options" in arguments:
        arguments["options"] = compile_options(arguments["options"])
    return arguments


def alloc_conf(text):
    """Returns a value of PYTORCH_CUDA_ALLOC_CONF, without max_split_size_mb on ROCm."""
    if not is_rocm or not text:
        return text
    # Values in brackets also contain commas, but no part of them has this name.
    return ",".join(s for s in text.split(",") if s.split(":")[0].strip() != "max_split_size_mb")


# The tensor that the caller of an out variant passed, by operator, until the operator takes it.
_given = threading.local()

# The libraries of out variants, by operator. A library that is collected takes its operators with it.
_libraries = {}


def symm_mem_result(operator, allocate):
    """Returns the tensor for the result of an operator such as "mine::scale": that of its out variant, or a new one."""
    given = getattr(_given, "tensors", {}).pop(operator, None)
    return allocate() if given is None else given


def symm_mem_out_variant(operator):
    """Adds an out variant to an operator with one tensor as its result.

    Inductor then allocates the result, in symmetric memory if a collective needs it there. Without effect before
    torch 2.13.
    """
    if not is_rocm or not hasattr(torch.library.Library, "register_symm_mem_args") or not hasattr(torch.Tag, "out"):
        return
    space, _, name = operator.partition("::")
    if operator in _libraries:
        # torch.library.custom_op replaces an operator that is defined again, as in a notebook.
        _libraries.pop(operator)._destroy()
    function = getattr(getattr(torch.ops, space), name).default
    arguments = function._schema.arguments
    if any(a.name == "out" or a.alias_info is not None for a in arguments):
        return

    def run(*args, out, **kwargs):
        tensors = _given.__dict__.setdefault("tensors", {})
        before = tensors.get(operator)
        tensors[operator] = out
        try:
            made = function(*args, **kwargs)
        finally:
            tensors.pop(operator, None)
            if before is not None:
                tensors[operator] = before
        if made.data_ptr() != out.data_ptr():
            out.copy_(made)
        return out

    text = str(function._schema)
    parameters = text[text.index("(") + 1 : text.rindex(") ->")]
    star = "" if any(a.kwarg_only for a in arguments) else "*, "
    parameters += (", " if parameters else "") + star + "Tensor(a!) out"
    library = torch.library.Library(space, "FRAGMENT")
    library.define(f"{name}.out({parameters}) -> Tensor(a!)", tags=(torch.Tag.out,))
    library.impl(f"{name}.out", run, "CompositeExplicitAutograd")
    library.impl(f"{name}.out", lambda *args, out, **kwargs: out, "Meta")
    _libraries[operator] = library


def symm_mem_pool(function):
    """Returns the implementation of an operator such that it allocates on the GPU in symmetric memory.

    All ranks must call it with the same shapes in the same order.
    """
    if not is_rocm:
        return function

    @functools.wraps(function)
    def run(*args, **kwargs):
        pool = _pool([*args, *kwargs.values()])
        if pool is None:
            return function(*args, **kwargs)
        with torch.cuda.use_mem_pool(pool):
            return function(*args, **kwargs)

    return run


def _pool(arguments):
    """Returns the memory pool of symmetric memory on the GPU of the tensors, also in lists; None without one."""
    try:
        from torch._subclasses.fake_tensor import FakeTensor
        from torch.distributed._symmetric_memory import get_mem_pool
    except ImportError:
        return None
    left = list(arguments)
    while left:
        a = left.pop(0)
        if isinstance(a, (list, tuple)):
            left = [*a, *left]
        elif isinstance(a, torch.Tensor) and a.is_cuda and not isinstance(a, FakeTensor):
            return get_mem_pool(a.device)
    return None


def symm_mem_custom_op(name, fn=None, **options):
    """Takes the arguments of torch.library.custom_op; the operator allocates its results in symmetric memory."""

    def define(function):
        # The annotations are read in the module of the function.
        schema = options.get("schema")
        if schema is None:
            schema = torch.library.infer_schema(function, mutates_args=options["mutates_args"])
        return torch.library.custom_op(name, symm_mem_pool(function), **{**options, "schema": schema})

    return define if fn is None else define(fn)


def _configure():
    """Applies the Inductor settings for ROCm that the installed torch has."""
    try:
        from torch._inductor import config
    except ImportError:
        return
    for path, value in _SETTINGS.items():
        parent, _, name = path.rpartition(".")
        owner = getattr(config, parent, None) if parent else config
        if hasattr(owner, name) and getattr(owner, name) != value:
            setattr(owner, name, value)


def _install():
    """Wraps torch.compile, which torch.nn.Module.compile and torch.compiler.compile also call.

    The settings are applied at the first compilation, since importing Inductor takes a second. An attribute of the
    function marks it as wrapped, for several copies of this module in one process.
    """
    original = getattr(torch, "compile", None)
    if original is None or hasattr(original, "rocport_wrapped"):
        return

    @functools.wraps(original)
    def compile(*args, **kwargs):
        _configure()
        return original(*args, **compile_arguments(kwargs))

    compile.rocport_wrapped = True
    torch.compile = compile
    if "torch._inductor.config" in sys.modules:
        _configure()


if is_rocm and os.environ.get("ROCPORT_KEEP_COMPILE") != "1":
    _install()
