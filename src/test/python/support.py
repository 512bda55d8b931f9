"""What the tests share: stand-ins for torch, and the modules under test loaded under chosen names."""

import contextlib
import importlib.util
import os
import sys
import types

MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "hip-runtime", "python")


def load(name, alias=None):
    """A module of hip-runtime/python, run anew; its siblings are found beside it."""
    spec = importlib.util.spec_from_file_location(alias or name, os.path.join(MODULES, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_path(MODULES))
        sys.modules[spec.name] = module
        if name != "_rocm":
            sys.modules.pop("_rocm", None)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[spec.name]
            raise
    return module


@contextlib.contextmanager
def on_path(folder):
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


@contextlib.contextmanager
def modules(**replacements):
    """Modules in the place of others by their names, with "_dot_" for a dot; None: as if not installed.

    What is imported meanwhile is forgotten at the end.
    """
    before = dict(sys.modules)
    for name, module in replacements.items():
        sys.modules[name.replace("_dot_", ".")] = module
    try:
        yield
    finally:
        sys.modules.clear()
        sys.modules.update(before)


@contextlib.contextmanager
def environment(**variables):
    before = dict(os.environ)
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


class Compiled:
    """What a recording torch.compile was asked for."""

    def __init__(self, model, arguments):
        self.model = model
        self.arguments = arguments


def fake_torch(hip=None, arch=None, has_hip=True):
    """A torch that has what _rocm.py looks at. `compile` works as torch's own does: without a model it gives
    a decorator, which calls the module's `compile` again; calls that get as far as a model are recorded."""
    torch = types.ModuleType("torch")
    torch.__path__ = []
    torch.version = types.ModuleType("torch.version")
    if has_hip:
        torch.version.hip = hip
    torch.float8_e4m3fn, torch.float8_e4m3fnuz = "e4m3fn", "e4m3fnuz"
    torch.float8_e5m2, torch.float8_e5m2fnuz = "e5m2", "e5m2fnuz"
    torch.calls = []

    def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None):
        """The text of torch.compile."""
        if model is None:
            return lambda m: torch.compile(
                m, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options
            )
        if mode is not None and options is not None:
            raise RuntimeError("Either mode or options can be specified")
        torch.calls.append(Compiled(model, {"mode": mode, "options": options, "fullgraph": fullgraph}))
        return model

    torch.compile = compile
    torch.cuda = types.SimpleNamespace(
        is_available=lambda: arch is not None,
        get_device_properties=lambda device: types.SimpleNamespace(gcnArchName=arch),
    )
    return torch


def fake_inductor(**settings):
    """The modules torch._inductor and torch._inductor.config, with the settings given."""
    config = types.ModuleType("torch._inductor.config")
    config.triton = types.SimpleNamespace()
    for name, value in settings.items():
        parent, _, last = name.rpartition("__")
        setattr(getattr(config, parent) if parent else config, last, value)
    inductor = types.ModuleType("torch._inductor")
    inductor.config = config
    return inductor, config


try:
    import torch as real_torch
except ImportError:
    real_torch = None


@contextlib.contextmanager
def as_rocm(version="6.4.0"):
    """The installed torch as one that says it is built for ROCm; torch.compile is put back at the end."""
    hip, compile = real_torch.version.hip, real_torch.compile
    real_torch.version.hip = version
    try:
        yield
    finally:
        real_torch.version.hip, real_torch.compile = hip, compile
