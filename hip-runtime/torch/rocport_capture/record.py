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

from . import amd, collectives, tensors


def _layout(tensor):
    layout = {"dtype": tensors.NAMES[tensor.dtype], "size": list(tensor.shape), "stride": list(tensor.stride())}
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


class Graph:
    """One compiled graph."""

    def __init__(self, number, gm, options):
        self.name = "%03d-%s" % (number, "backward" if options.get("is_backward") else
                                 "inference" if options.get("is_inference") else "forward")
        # Inductor changes the graph, but not the tensors that belong to it.
        self.gm = torch.fx.GraphModule(gm, copy.deepcopy(gm.graph))
        self.code = gm.code
        self.options = {k: bool(options.get(k)) for k in ("is_backward", "is_inference")}
        self.settings = _settings()
        self.notes = []
        self.inputs = []
        self.mutated = []
        self.outputs = []
        self.recorded = False


class Recorder:
    """Installs itself into Inductor, and writes what it has seen into a folder.

    Graphs are compiled for the GPU of this machine, too; without a GPU, for several ranks, and if
    the script sees another GPU, they run operator by operator.
    """

    def __init__(self, out, how):
        self.out = out
        self.how = how
        several = int(os.environ.get("WORLD_SIZE", "1")) > 1
        self.interpret = how != "native" or several or not torch.cuda.is_available()
        self.graphs = []
        self.data = tensors.TensorFile()
        self.eager = {}

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

    def _recording(self, graph, run):
        def recording(values):
            if graph.recorded:
                return run(values)
            known = [v.dtype in tensors.NAMES for v in values if isinstance(v, torch.Tensor)]
            if not all(known):
                graph.notes.append("has an input of a type that a capture cannot hold")
                return run(values)
            graph.recorded = True
            return self._record(graph, run, values)

        return recording

    def _interpreted(self, graph):
        """A function of the inputs that calls one operator after the other."""
        def run(values):
            with torch.no_grad():
                return collectives.Interpreter(graph.gm).run(*values)

        boxed = self._recording(graph, run)
        boxed._boxed_call = True
        return boxed

    def _record(self, graph, run, values):
        before = [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in values]
        kept = list(values)
        for i, (value, first) in enumerate(zip(values, before)):
            if isinstance(value, torch.Tensor) and value.stride() != first.stride():
                graph.notes.append("input %d has other strides in the capture than in the script" % i)
        for i, value in enumerate(before):
            graph.inputs.append(self._value(value))
        if not self.interpret:
            self._eager(graph, before)
        outputs = run(values)
        if self.interpret:
            self._keep(graph, outputs, kept, before)
        flat = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        for i, value in enumerate(flat):
            graph.outputs.append(_layout(value) if isinstance(value, torch.Tensor)
                                 and value.dtype in tensors.NAMES else {"value": repr(value)})
        for i, (value, first) in enumerate(zip(kept, before)):
            if isinstance(value, torch.Tensor) and tensors.data(value) != tensors.data(first):
                graph.mutated.append(i)
        return outputs

    def _value(self, value):
        if isinstance(value, torch.Tensor):
            layout = _layout(value)
            content = tensors.data(value)
            key = tensors.digest(content)[:16] + "-" + layout["dtype"].lower()
            flat = value.detach().cpu().contiguous().reshape(-1)
            self.data.add(key, flat)
            layout["data"] = key
            return layout
        if isinstance(value, (int, bool)) or (isinstance(value, float) and math.isfinite(value)):
            return {"value": value}
        return {"value": repr(value)}

    def _eager(self, graph, values):
        """The results of the graph without Inductor, from copies of the inputs."""
        copies = [v.clone() if isinstance(v, torch.Tensor) else v for v in values]
        devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
        try:
            with torch.no_grad(), torch.random.fork_rng(devices):
                results = torch.fx.Interpreter(graph.gm).run(*copies)
        except Exception as e:  # pylint: disable=broad-except  # any failure is the user's to read
            graph.notes.append("does not run without compilation: %s" % (str(e).splitlines() or [""])[0])
            return
        self._keep(graph, results, copies, values)

    def _keep(self, graph, results, given, first_values):
        """Keeps the results, and the inputs that no longer have their first values."""
        flat = list(results) if isinstance(results, (list, tuple)) else [results]
        for i, value in enumerate(flat):
            if isinstance(value, torch.Tensor) and value.dtype in tensors.NAMES:
                self.eager["%s/out%d" % (graph.name, i)] = value.detach().cpu().clone()
        for i, (value, first) in enumerate(zip(given, first_values)):
            if isinstance(value, torch.Tensor) and tensors.data(value) != tensors.data(first):
                self.eager["%s/in%d" % (graph.name, i)] = value.detach().cpu().clone()

    def write(self, command):
        """Writes capture.json, the graphs and their data."""
        graphs = []
        for graph in self.graphs:
            if not graph.recorded and not graph.notes:
                graph.notes.append("was compiled but never called")
            constants = {}
            for node in graph.gm.graph.nodes:
                if node.op != "get_attr":
                    continue
                value = graph.gm
                for part in node.target.split("."):
                    value = getattr(value, part)
                if isinstance(value, torch.Tensor):
                    constants[node.target] = self._value(value)
                else:
                    graph.notes.append("has the subgraph %s, which is not lowered" % node.target)
            os.makedirs(os.path.join(self.out, "graphs"), exist_ok=True)
            with open(os.path.join(self.out, "graphs", graph.name + ".py"), "w") as file:
                file.write(graph.code.strip() + "\n")
            graphs.append({
                "name": graph.name, "options": graph.options,
                "settings": graph.settings, "inputs": graph.inputs, "constants": constants,
                "outputs": graph.outputs, "mutated": graph.mutated, "notes": graph.notes,
                "recorded": graph.recorded,
            })
        self.data.write(os.path.join(self.out, "data.safetensors"))
        file = tensors.TensorFile()
        for key, value in self.eager.items():
            file.add(key, value)
        file.write(os.path.join(self.out, "recorded", "eager.safetensors"))
        with open(os.path.join(self.out, "capture.json"), "w") as file:
            json.dump({
                "format": 1, "command": command, "script": self.how, "gpu": amd.machine(), "torch": torch.__version__,
                "triton": _version("triton"), "python": platform.python_version(), "graphs": graphs,
            }, file, indent=1)
            file.write("\n")


def _version(name):
    try:
        return __import__(name).__version__
    except ImportError:
        return ""
