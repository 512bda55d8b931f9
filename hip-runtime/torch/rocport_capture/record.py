"""Records the graphs that torch.compile compiles with Inductor in a running script.

Each graph is recorded as AOTAutograd hands it to Inductor: its code, the inputs and the results of
its first call, and the results of the same graph without compilation.
"""

import copy
import functools
import json
import math
import os
import platform
import subprocess
import sys

import torch

from . import amd, interpreter, operators, tensors


def _layout(tensor):
    layout = {"dtype": tensors.name(tensor.dtype), "size": list(tensor.shape), "stride": list(tensor.stride())}
    if tensor.is_complex():
        layout["complex"] = True
    if _is_symmetric(tensor):
        layout["symmetric"] = True
    return layout


def _is_symmetric(tensor):
    if not tensor.is_cuda or not torch.distributed.is_available() or not torch.distributed.is_initialized():
        return False
    import torch.distributed._symmetric_memory as symm_mem

    return hasattr(symm_mem, "is_symm_mem_tensor") and symm_mem.is_symm_mem_tensor(tensor)


_PLAIN = (bool, int, float, str)
_DEFAULTS = """
import json
import torch
torch.version.hip = %r
import torch._inductor.config as config
values = {k: e.default for k, e in config._config.items()}
print(json.dumps({k: v for k, v in values.items() if isinstance(v, (bool, int, float, str))}))
"""


@functools.cache
def _defaults():
    """The settings of Inductor without the variables of this process, some of which are defaults."""
    import torch._inductor.config as config

    mine = [k for k in os.environ if k.startswith("TORCHINDUCTOR_") and k != "TORCHINDUCTOR_CACHE_DIR"]
    if not mine:
        return {name: entry.default for name, entry in config._config.items()}
    other = {k: v for k, v in os.environ.items() if k not in mine}
    return json.loads(subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _DEFAULTS % torch.version.hip], env=other, stdout=subprocess.PIPE, check=True).stdout)


def _settings():
    """Settings of Inductor that differ from their defaults and that a file can hold."""
    import torch._inductor.config as config

    defaults = _defaults()
    changed = {}
    for name in config._config:
        value = getattr(config, name, None)
        if name != "force_disable_caches" and isinstance(value, _PLAIN) and value != defaults.get(name):
            changed[name] = value
    return changed


# Operators that Inductor calls as they are in some cases only.
_AT_TIMES = {
    "aten::convolution", "aten::convolution_backward", "aten::sort", "aten::index_put", "aten::index_put_",
    "aten::scatter_reduce", "aten::scatter_add", "aten::scatter", "aten::cumsum", "aten::cumprod", "aten::gcd",
    "aten::digamma",
}


def _tensors(*values):
    found = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors(*value)
    return found


def _is_called(func, args, results):
    """Whether Inductor may call an operator instead of writing a kernel for it."""
    from torch._inductor import lowering

    if not isinstance(func, torch._ops.OpOverload) or func.is_view:
        return False
    return func._schema.name in _AT_TIMES or func not in lowering.lowerings or func in lowering.fallbacks \
        or any(t.is_complex() for t in _tensors(args, results))


def _subgraphs(module):
    """The graphs that operators such as cond call, by name."""
    return {n.target: module.get_submodule(n.target) for n in module.graph.nodes
            if n.op == "get_attr" and isinstance(getattr(module, n.target, None), torch.fx.GraphModule)}


def _copied(module):
    """A graph that Inductor cannot change; its tensors are not copied."""
    same = torch.fx.GraphModule(module, copy.deepcopy(module.graph))
    for name, part in _subgraphs(module).items():
        setattr(same, name, _copied(part))
    return same


class Call:
    """One call of a compiled graph."""

    def __init__(self, name):
        self.name = name
        self.inputs = []
        self.mutated = []
        self.outputs = []
        self.reads = []
        self.notes = []


class Graph:
    """One compiled graph, and its recorded calls."""

    def __init__(self, number, gm, options):
        self.name = "%03d-%s" % (number, "backward" if options.get("is_backward") else
                                 "inference" if options.get("is_inference") else "forward")
        self.gm = _copied(gm)
        self.options = {k: bool(options.get(k)) for k in ("is_backward", "is_inference")}
        self.settings = _settings()
        self.notes = []
        self.calls = []

    def call(self):
        """A further call."""
        number = len(self.calls)
        self.calls.append(Call(self.name + (".call%d" % number if number else "")))
        return self.calls[-1]


class Recorder:
    """Installs itself into Inductor, and writes what it has seen into a folder.

    Graphs are compiled for the GPU of this machine, too; without a GPU, for several ranks, and if
    the script sees another GPU, they run operator by operator. The first MOST calls are recorded.
    """

    def __init__(self, out, how, most):
        self.out = out
        self.how = how
        self.most = most
        several = int(os.environ.get("WORLD_SIZE", "1")) > 1
        self.interpret = how != "native" or several or not torch.cuda.is_available()
        self.graphs = []
        self.data = tensors.TensorFile()
        self.eager = {}
        self.groups = {}
        self.called = {}
        self.operators = {}

    def install(self, module):
        """Records what torch._inductor.compile_fx, the module, is given from now on."""
        import torch._inductor.config as config

        # A graph from a cache would not be handed to the function that is wrapped here.
        config.force_disable_caches = True
        compile_fx = module.compile_fx
        inner = module.compile_fx_inner

        def wrapped(model, inputs, *args, **options):
            if not args and "inner_compile" not in options:
                options["inner_compile"] = self._inner(inner)
            return compile_fx(model, inputs, *args, **options)

        module.compile_fx = wrapped

    def _inner(self, inner):
        def compile_inner(gm, inputs, **options):
            graph = Graph(len(self.graphs), gm, options)
            self.graphs.append(graph)
            if self.interpret:
                return self._interpreted(graph)
            compiled = inner(gm, inputs, **options)
            run = getattr(compiled, "current_callable", None)
            if run is None:
                graph.notes.append("was not compiled to code that can be called")
                return compiled

            compiled.current_callable = self._recording(graph, run)
            return compiled

        return compile_inner

    def _recording(self, graph, run, later=None):
        def recording(values):
            if len(graph.calls) >= self.most:
                return (later or run)(values)
            if not all(tensors.known(v.dtype) for v in values if isinstance(v, torch.Tensor)):
                note = "has an input of a type that a capture cannot hold"
                if note not in graph.notes:
                    graph.notes.append(note)
                return (later or run)(values)
            return self._record(graph, run, values)

        return recording

    def _interpreted(self, graph):
        """A function of the inputs that calls one operator after the other."""

        def run(values):
            call = graph.calls[-1]
            keep = self._keeper(call, _is_called)
            with torch.no_grad():
                return interpreter.Interpreter(graph.gm, self.groups, keep, call.reads).run(*values)

        def plain(values):
            with torch.no_grad():
                return interpreter.Interpreter(graph.gm, self.groups).run(*values)

        boxed = self._recording(graph, run, plain)
        boxed._boxed_call = True
        return boxed

    def _keeper(self, call, which):
        """A function that keeps the results of some operators."""
        counts = {}

        def keep(func, args, kwargs, result):
            results = _tensors(result)
            operators.note(func, args, kwargs, results, self.operators)
            if not results or not which(func, args, results):
                return
            number = counts[func._schema.name] = counts.get(func._schema.name, -1) + 1
            for i, value in enumerate(results):
                key = "%s/%s/%d/%d" % (call.name, func._schema.name, number, i)
                self.called[key] = value.detach().cpu().clone()

        return keep

    def _record(self, graph, run, values):
        call = graph.call()
        before = [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in values]
        kept = list(values)
        for i, (value, first) in enumerate(zip(values, before)):
            if isinstance(value, torch.Tensor) and value.stride() != first.stride():
                call.notes.append("input %d has other strides in the capture than in the script" % i)
        for i, value in enumerate(before):
            call.inputs.append(self._value(value))
        if not self.interpret:
            self._eager(graph, call, before)
        outputs = run(values)
        if self.interpret:
            self._keep(call, outputs, kept, before)
        flat = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        for i, value in enumerate(flat):
            call.outputs.append(_layout(value) if isinstance(value, torch.Tensor)
                                and tensors.known(value.dtype) else {"value": repr(value)})
        for i, (value, first) in enumerate(zip(kept, before)):
            if isinstance(value, torch.Tensor) and tensors.data(value) != tensors.data(first):
                call.mutated.append(i)
        return outputs

    def _value(self, value):
        if isinstance(value, torch.Tensor):
            layout = _layout(value)
            content = tensors.data(value)
            key = tensors.digest(content)[:16] + "-" + layout["dtype"].lower()
            self.data.add(key, tensors.real(value.detach().cpu()).contiguous().reshape(-1))
            layout["data"] = key
            return layout
        if isinstance(value, (int, bool)) or (isinstance(value, float) and math.isfinite(value)):
            return {"value": value}
        return {"value": repr(value)}

    def _eager(self, graph, call, values):
        """The results of the graph without Inductor, from copies of the inputs."""
        copies = [v.clone() if isinstance(v, torch.Tensor) else v for v in values]
        devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
        try:
            with torch.no_grad(), torch.random.fork_rng(devices):
                # The other operators are called again, with what precedes them on the AMD GPU.
                keep = self._keeper(call, lambda func, *_: operators.is_of_program(func))
                results = interpreter.Interpreter(graph.gm, {}, keep, call.reads).run(*copies)
        except Exception as e:  # pylint: disable=broad-except  # any failure is the user's to read
            call.notes.append("does not run without compilation: %s" % (str(e).splitlines() or [""])[0])
            return
        self._keep(call, results, copies, values)

    def _keep(self, call, results, given, first_values):
        """Keeps the results, and the inputs that no longer have their first values."""
        flat = list(results) if isinstance(results, (list, tuple)) else [results]
        for i, value in enumerate(flat):
            if isinstance(value, torch.Tensor) and tensors.known(value.dtype):
                self.eager["%s/out%d" % (call.name, i)] = value.detach().cpu().clone()
        for i, (value, first) in enumerate(zip(given, first_values)):
            if isinstance(value, torch.Tensor) and tensors.data(value) != tensors.data(first):
                self.eager["%s/in%d" % (call.name, i)] = value.detach().cpu().clone()

    def _code(self, module, name):
        """Writes the code of a graph; returns its constants and the graphs that it calls."""
        constants = {}
        notes = []
        parts = _subgraphs(module)
        for node in module.graph.nodes:
            if node.op != "get_attr" or node.target in parts:
                continue
            value = module
            for part in node.target.split("."):
                value = getattr(value, part)
            if isinstance(value, torch.Tensor) and tensors.known(value.dtype):
                constants[node.target] = self._value(value)
            else:
                notes.append("has the constant %s, which is not lowered" % node.target)
        os.makedirs(os.path.join(self.out, "graphs"), exist_ok=True)
        with open(os.path.join(self.out, "graphs", name + ".py"), "w") as file:
            file.write(module.code.strip() + "\n")
        below = {part: self._code(value, name + "." + part) for part, value in parts.items()}
        for part in below.values():
            notes += part.pop("notes")
        return {"code": name, "constants": constants, "parts": below, "notes": notes}

    def write(self, command):
        """Writes capture.json, the graphs and their data."""
        graphs = []
        for graph in self.graphs:
            if not graph.calls and not graph.notes:
                graph.notes.append("was compiled but never called")
            code = self._code(graph.gm, graph.name)
            notes = graph.notes + code.pop("notes")
            for call in graph.calls or [Call(graph.name)]:
                graphs.append({
                    "name": call.name, **code, "options": graph.options, "settings": graph.settings,
                    "inputs": call.inputs, "outputs": call.outputs, "mutated": call.mutated, "reads": call.reads,
                    "notes": notes + call.notes, "recorded": bool(graph.calls),
                })
        self.data.write(os.path.join(self.out, "data.safetensors"))
        file = tensors.TensorFile()
        for key, value in self.eager.items():
            file.add(key, value)
        file.write(os.path.join(self.out, "recorded", "eager.safetensors"))
        file = tensors.TensorFile()
        for key, value in self.called.items():
            if tensors.known(value.dtype):
                file.add(key, value)
        file.write(os.path.join(self.out, "recorded", "called.safetensors"))
        with open(os.path.join(self.out, "capture.json"), "w") as file:
            json.dump({
                "format": 1, "command": command, "script": self.how, "gpu": amd.machine(), "torch": torch.__version__,
                "triton": _version("triton"), "python": platform.python_version(), "groups": self.groups,
                "operators": self.operators, "graphs": graphs,
            }, file, indent=1)
            file.write("\n")


def _version(name):
    try:
        return __import__(name).__version__
    except ImportError:
        return ""
