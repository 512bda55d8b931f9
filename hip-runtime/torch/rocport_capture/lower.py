"""Lowers recorded graphs for an AMD GPU: Inductor's decisions for it, and Triton's code objects.

The wrapper that Inductor writes is executed once with tensors in host memory in place of those of
the GPU. Each launch and each call of an operator is written down with the buffers that it names;
kernels do not run. The result is a plan: the calls of the graph in order.
"""

import hashlib
import json
import math
import os
import re
import sys
import types

import torch
from torch._subclasses.fake_tensor import FakeTensor

from . import amd, collectives, operators, ranks, tensors

_DEVICE = "cuda:0"
_ALLOCATIONS = {"aten::empty_strided", "aten::empty.memory_format", "aten::new_empty_strided"}


class LoweringError(Exception):
    """A graph that cannot be lowered, with the reason."""


class Plan:
    """The calls of one graph in order, by buffers."""

    def __init__(self, groups, reads):
        """GROUPS has the ranks of each group; READS are the values that the host read in the recording."""
        self.groups = groups
        self.reads = list(reads)
        self._last = None
        self.buffers = []
        self.symmetric = set()
        self.steps = []
        self._ids = {}
        self._kept = []
        self.notes = []

    def buffer(self, tensor):
        """The number of the buffer of a tensor."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self._ids:
            self._ids[key] = len(self.buffers)
            self.buffers.append(storage.nbytes())
            self._kept.append(tensor)  # so that no other storage takes its address
        return self._ids[key]

    def view(self, tensor):
        if isinstance(tensor, FakeTensor):
            raise LoweringError("a constant tensor")
        if not tensors.known(tensor.dtype):
            raise LoweringError("a tensor of type %s" % tensor.dtype)
        place = {
            "buffer": self.buffer(tensor), "offset": tensor.storage_offset() * tensor.element_size(),
            "dtype": tensors.name(tensor.dtype), "size": list(tensor.shape), "stride": list(tensor.stride()),
        }
        if tensor.is_complex():
            place.update(complex=True, size=place["size"] + [2], stride=[2 * s for s in place["stride"]] + [1])
        return place

    def read(self, tensor):
        """Writes down that the host reads a value, which is that of the recording."""
        place = self.view(tensor)
        if self.steps and self.steps[-1].get("read") == place:
            return self._last  # Inductor's code for loops reads the first condition twice
        if not self.reads:
            raise LoweringError("a value that the host reads, and that the recording did not read")
        self._last = self.reads.pop(0)
        self.steps.append({"read": place, "value": self.value(self._last)})
        return self._last

    def value(self, value):
        if isinstance(value, torch.Tensor):
            return self.view(value)
        if isinstance(value, (list, tuple)):
            return [self.value(v) for v in value]
        if isinstance(value, float) and not math.isfinite(value):
            return {"float": repr(value)}
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        return {"text": str(value)}

    def collective(self, func, args, kwargs):
        """Writes a collective down; returns a tensor for its result, whose elements do not matter."""
        try:
            call = collectives.Collective(func, args, kwargs, self.groups)
            result = call.result()
        except collectives.CollectiveError as e:
            raise LoweringError(str(e)) from e
        apart = {b - a for a, b in zip(call.ranks, call.ranks[1:])}
        if len(apart) > 1 or min(apart, default=1) < 1:
            raise LoweringError("%s in a group of the ranks %s, which are not at equal distances" % (call.operator, call.ranks))
        everyone = len(call.ranks) == torch.distributed.get_world_size()
        shared = self.view(call.shared)
        if call.symmetric and shared["buffer"] not in self.symmetric:
            raise LoweringError("the operand of %s is not in symmetric memory" % call.operator)
        self.steps.append({
            "collective": call.kind, "operator": call.operator, "reduction": call.reduction,
            "root": call.root, "ranks": [] if everyone else call.ranks, "operand": self.view(call.operand),
            "result": self.view(result),
        })
        return result


class Kernels:
    """Compiled kernels, by the hash of source, configuration and target."""

    def __init__(self, out, target):
        self.out = out
        self.target = target
        self.known = {}

    def compile(self, tuner, config, launcher):
        """Compiles a kernel in one configuration; returns what a launch needs to know."""
        from triton.compiler import ASTSource
        from torch._inductor.runtime.triton_heuristics import config_to_dict
        import triton

        meta = tuner._create_compile_meta(config) if hasattr(tuner, "_create_compile_meta") \
            else _compile_meta(tuner, config)
        options = tuner._create_compile_options(config, meta) if hasattr(tuner, "_create_compile_options") \
            else _compile_options(tuner, config, meta)
        from triton.backends.compiler import GPUTarget

        binary = triton.compile(
            ASTSource(tuner.fn, meta["signature"], meta["constants"], meta["configs"][0]),
            target=GPUTarget("hip", self.target, amd.lanes(self.target)), options=options)
        code = _without_paths(binary.asm["hsaco"])
        name = binary.metadata.name
        key = hashlib.sha256(code).hexdigest()[:16]
        source = launcher.source
        text = _normalised(source, launcher.name)
        origin = hashlib.sha256(text.encode()).hexdigest()[:16]
        folder = os.path.join(self.out, "kernels")
        os.makedirs(folder, exist_ok=True)
        known = os.path.join(folder, origin + ".py")
        if not os.path.exists(known):
            with open(known, "w") as file:
                file.write(source.strip() + "\n")
        with open(os.path.join(folder, "%s-%s.hsaco" % (key, self.target)), "wb") as file:
            file.write(code)
        return {
            "code": "kernels/%s-%s.hsaco" % (key, self.target), "source": "kernels/%s.py" % origin,
            "kernel": name, "shared": binary.metadata.shared, "warps": binary.metadata.num_warps,
            "threads": binary.metadata.num_warps * amd.lanes(self.target),
            "stages": getattr(binary.metadata, "num_stages", 1),
            "config": dict(sorted(config_to_dict(config).items())),
            "constants": {k: v for k, v in meta["constants"].items() if isinstance(v, (int, float, str, bool))},
        }


def _without_paths(code):
    """A code object whose line table does not tell where this machine keeps its files.

    Offsets in the table stay: a path becomes one of the same length, relative to any folder.
    """
    import triton

    cache = os.environ.get("TORCHINDUCTOR_CACHE_DIR", "")
    for path in (os.path.dirname(os.path.dirname(triton.__file__)), cache):
        folder = (path + "/").encode()
        if len(folder) > 1:
            same = (b"./" * len(folder))[:len(folder) - 1] + b"/"
            code = code.replace(folder, same)
    return code


def _normalised(source, name):
    """The body of a kernel without its name and without what Inductor notes beside it."""
    return source[source.index("@triton.jit"):].replace(name, "kernel").strip()


def _compile_meta(tuner, config):
    """The same as _create_compile_meta of later versions of PyTorch."""
    import copy

    meta = copy.deepcopy(tuner.triton_meta)
    for k, v in config.kwargs.items():
        if k not in ("matrix_instr_nonkdim", "waves_per_eu", "kpack"):
            meta["constants"][k] = v
    for i in tuner.fn.constexprs:
        name = tuner.fn.arg_names[i]
        if name not in meta["constants"] and name in ("num_warps", "num_stages"):
            meta["constants"][name] = getattr(config, name)
    meta["num_warps"], meta["num_stages"] = config.num_warps, config.num_stages
    meta["debug"] = tuner.inductor_meta.get("assert_indirect_indexing", True)
    return meta


def _compile_options(tuner, config, meta):
    options = {"num_warps": meta["num_warps"], "num_stages": meta["num_stages"], "debug": meta["debug"],
               "sanitize_overflow": False}
    for k in ("waves_per_eu", "matrix_instr_nonkdim", "kpack"):
        if k in config.kwargs:
            options[k] = config.kwargs[k]
    return options


class Launcher:
    """Stands in for a compiled kernel in the wrapper: writes launches down."""

    def __init__(self, trace, name, source):
        self.trace = trace
        self.name = name
        self.source = source
        self.tuner = None

    def run(self, *args, stream=None, **options):
        self.trace.launch(self, args, options)

    def prepare(self):
        if self.tuner is None:
            from torch._inductor.codecache import PyCodeCache

            self.tuner = getattr(PyCodeCache.load(self.source), self.name)
        return self.tuner


class Trace(torch.utils._python_dispatch.TorchDispatchMode):
    """Writes down what the wrapper of a graph does."""

    def __init__(self, kernels):
        super().__init__()
        self.kernels = kernels
        self.plan = None

    def launch(self, launcher, args, options):
        from torch._inductor.runtime.triton_heuristics import GridExpr, config_to_dict

        tuner = launcher.prepare()
        configs = tuner.configs
        names = [n for n in tuner.fn.arg_names]
        signature = tuner.triton_meta["signature"]
        candidates = []
        for config in configs:
            chosen = config_to_dict(config)
            expected = [n for n in names if n not in config.kwargs and n not in ("num_warps", "num_stages")]
            given = dict(zip(expected + list(tuner.inductor_meta.get("extra_launcher_args", [])), args))
            given.update(options)
            scope = {**{k: v for k, v in given.items() if isinstance(v, int)}, **chosen}
            if "grid_type" not in tuner.inductor_meta:
                raise LoweringError("the kernel %s has a grid of its own" % launcher.name)
            grid = GridExpr.from_meta(tuner.inductor_meta, config).eval_slow(scope)
            compiled = self.kernels.compile(tuner, config, launcher)
            call = []
            constants = {**tuner.triton_meta.get("constants", {}), **config.kwargs}
            for name in names:
                kind = signature.get(name, "constexpr")
                if kind == "constexpr" or name in constants:
                    continue
                value = given[name]
                written = isinstance(value, torch.Tensor) and (
                    name.startswith(("out_ptr", "in_out_ptr")) or
                    name in tuner.inductor_meta.get("mutated_arg_names", ()))
                entry = {"name": name, "type": kind, "value": self.plan.value(value)}
                if written:
                    entry["written"] = True
                call.append(entry)
            candidates.append({**compiled, "grid": list(grid), "args": call})
        self.plan.steps.append({"launch": launcher.name, "candidates": candidates})

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.plan is not None and collectives.is_wait(func):
            return args[0]
        if self.plan is not None and collectives.is_collective(func):
            return self.plan.collective(func, args, kwargs)
        if self.plan is not None and func is torch.ops.aten._local_scalar_dense.default:
            return self.plan.read(args[0])
        name = func._schema.name + ("." + func._schema.overload_name if func._schema.overload_name else "")
        result = func(*args, **kwargs)
        if self.plan is None or name in _ALLOCATIONS or func.is_view:
            return result
        if name in ("aten::as_strided", "aten::detach", "aten::alias"):
            return result
        results = [r for r in (result if isinstance(result, (list, tuple)) else [result])
                   if isinstance(r, torch.Tensor)]
        if not results:
            raise LoweringError("%s, which reads a value on the host or has no tensor as its result" % name)
        self.plan.steps.append({
            "call": name, "args": self.plan.value(list(args)),
            "options": {k: self.plan.value(v) for k, v in sorted(kwargs.items())},
            "results": [self.plan.view(r) for r in results],
        })
        return result


def _function(out, part):
    """The code of a graph as a function of its inputs, and the objects that have its constants.

    The latter is a list of pairs: an object, and the names of its constants.
    """
    with open(os.path.join(out, "graphs", part["code"] + ".py")) as file:
        text = file.read()
    scope = {
        "torch": torch, "device": torch.device, "inf": math.inf, "nan": math.nan, "NoneType": type(None),
        "math": math,
    }
    for module in re.findall(r"\b((?:fx_pytree|operator|builtins)\b)", text):
        scope[module] = __import__(module) if module != "fx_pytree" else torch.fx._pytree
    code = re.sub(r"device\(type='(?:cpu|cuda)'(?:, index=\d+)?\)", "device('%s')" % _DEVICE, text)
    for name in part["constants"]:
        code = code.replace("self." + name, "self." + name.replace(".", "_"))
    exec(code, scope)  # the code that PyTorch printed for the recorded graph
    forward = scope["forward"]
    holder = types.SimpleNamespace()
    holders = [(holder, part["constants"])]
    for name, below in part["parts"].items():
        function, more = _function(out, below)
        setattr(holder, name, function)
        holders += more
    return (lambda *inputs: forward(holder, *inputs)), holders


def _strided(flat, entry):
    """A tensor with the recorded strides in host memory."""
    size, stride = entry["size"], entry["stride"]
    if entry.get("complex"):
        flat = torch.view_as_complex(flat.reshape(-1, 2))
    extent = 1 + sum((n - 1) * s for n, s in zip(size, stride)) if all(size) else 0
    storage = torch.zeros(extent, dtype=flat.dtype)
    result = torch.as_strided(storage, size, stride)
    result.copy_(flat.reshape(size))
    return result


def _lower(graph, out, groups, data, kernels):
    from torch._inductor import compile_fx
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    values = [_strided(data[e["data"]], e) if "data" in e else e["value"] for e in graph["inputs"]]
    # Loops of unknown length need an environment for sizes.
    mode = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv() if graph["parts"] else None)

    def fake(value):
        if not isinstance(value, torch.Tensor):
            return value
        with mode:
            return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=_DEVICE)

    # Constants become further inputs, so that their elements come from the capture like those of inputs.
    function, holders = _function(out, graph)
    constants = [(holder, name, entry) for holder, entries in holders for name, entry in entries.items()]
    entries = graph["inputs"] + [entry for _, _, entry in constants]
    values += [_strided(data[e["data"]], e) for e in entries[len(graph["inputs"]):]]
    inputs = [fake(v) for v in values]
    places = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]

    def of_tensors(*given):
        full = list(inputs)
        for place, value in zip(places, given):
            full[place] = value
        for (holder, name, _), value in zip(constants, full[len(graph["inputs"]):]):
            setattr(holder, name.replace(".", "_"), value)
        return function(*full[:len(graph["inputs"])])

    with mode:
        gm = make_fx(of_tensors, tracing_mode="real")(*[inputs[i] for i in places])
    if graph["parts"]:
        # Operators with nested graphs have further results here, which not every lowering of Inductor has.
        gm.graph.eliminate_dead_code()
        gm.recompile()
    trace = Trace(kernels)
    _install(trace)
    with _settings(graph), torch._guards.tracing(torch._guards.TracingContext(mode)), torch.no_grad():
        compiled = compile_fx.compile_fx_inner(
            gm, [inputs[i] for i in places], cudagraphs=False, **graph["options"])
    plan = Plan(groups, graph["reads"])
    given = [values[i] for i in places]
    views = [plan.view(v) for v in given]
    plan.symmetric.update(v["buffer"] for v, i in zip(views, places) if entries[i].get("symmetric"))
    trace.plan = plan
    with trace, torch.no_grad():
        results = compiled.current_callable(list(given))
    trace.plan = None
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    return {
        "inputs": [{**view, "data": entries[i].get("data"), "input": i}
                   for view, i in zip(views, places)],
        "buffers": plan.buffers, "symmetric": sorted(plan.symmetric), "steps": plan.steps, "notes": plan.notes,
        "outputs": [plan.value(r) for r in results],
        "mutated": [{**view, "input": i} for view, i in zip(views, places) if i in graph["mutated"]],
    }


def _settings(graph):
    """The settings of Inductor under which the graph was recorded, as far as there are such."""
    import torch._inductor.config as config

    chosen = {k: v for k, v in graph.get("settings", {}).items() if k in config._config}
    # Nothing can be timed without a GPU, so fusions are decided by Inductor's rules alone.
    for name in ("benchmark_fusion", "benchmark_epilogue_fusion", "benchmark_kernel", "benchmark_combo_kernel"):
        if name in config._config:
            chosen[name] = False
    return config.patch(chosen)


class _Choices:
    """What autotuning would choose from: without a GPU nothing is timed, so one is taken by number.

    Templates of Triton come first.
    """

    def __init__(self):
        self.taken = 0
        self.seen = 0

    def rank(self, choices, *args, **options):
        order = sorted(choices, key=lambda c: 0 if "triton" in c.name else 1)
        self.seen = max(self.seen, sum(1 for c in order if "triton" in c.name))
        first = self.taken % len(order)
        return {c: float(1 + i) for i, c in enumerate(order[first:] + order[:first])}


_CHOICES = _Choices()


def _untimed(autotuner):

    autotuner.make_benchmark_fn = classmethod(lambda cls, *args, **options: _CHOICES.rank)
    autotuner.make_precompile_fn = lambda self, *args, **options: lambda: None


def _install(trace):
    """Lets the wrapper that Inductor writes call the trace instead of a GPU."""
    import torch._inductor.async_compile as async_compile

    async_compile.AsyncCompile.triton = lambda self, name, source, device_str="cuda": Launcher(trace, name, source)
    from torch._inductor.select_algorithm import AlgorithmSelectorCache

    _untimed(AlgorithmSelectorCache)
    guards = torch._C._dynamo.guards
    guards._empty_strided_cuda = lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype)
    if not torch.distributed.is_available():
        return
    import torch.distributed._symmetric_memory as symm_mem

    def symmetric(size, stride, dtype, device, group_name=None, alloc_id=None):
        result = torch.empty_strided(size, stride, dtype=dtype)
        trace.plan.symmetric.add(trace.plan.buffer(result))
        return result

    guards._empty_strided_p2p = symm_mem._SymmetricMemory.empty_strided_p2p = symmetric


def _write(folder, plan):
    with open(os.path.join(folder, plan["graph"] + ".json"), "w") as file:
        json.dump(plan, file, indent=1)
        file.write("\n")


def _plan(graph, target, choice, out, groups, data, kernels):
    name = graph["name"] + ("" if choice == 0 else ".choice%d" % choice)
    plan = {"graph": name, "recorded": graph["name"], "target": target}
    _CHOICES.taken = choice
    try:
        if not graph["recorded"]:
            raise LoweringError("; ".join(graph["notes"]))
        plan.update(_lower(graph, out, groups, data, kernels))
        plan["notes"] = list(graph["notes"]) + plan["notes"]
    except Exception as e:  # pylint: disable=broad-except  # the other graphs go on
        if "ROCPORT_CAPTURE_TRACE" in os.environ:
            raise
        plan["failed"] = "%s: %s" % (type(e).__name__, (str(e).splitlines() or [""])[0])
        print("rocport: %s: %s" % (name, plan["failed"]), file=sys.stderr)
    return plan


def lower(out, target, most="4"):
    """Writes plans/TARGET/GRAPH.json for each recorded graph.

    Where autotuning would choose from templates, there is a plan for each of the first MOST ones.
    """
    amd.become(target)
    import torch._inductor.config as config

    config.force_disable_caches = True
    config.compile_threads = 1
    amd.become_for_triton(target)
    kernels = Kernels(out, target)
    folders = ranks.folders(out)
    failed = 0
    for rank, folder in enumerate(folders):
        with open(os.path.join(folder, "capture.json")) as file:
            capture = json.load(file)
        if len(folders) > 1:
            _join(rank, len(folders), capture["groups"])
        failed += _lower_rank(capture, folder, target, int(most), kernels)
    return 1 if failed else 0


def _join(rank, world, groups):
    """Makes this process a rank of groups whose other ranks do not exist."""
    import torch.distributed as dist
    from torch.testing._internal.distributed.fake_pg import FakeStore

    if dist.is_initialized():
        dist.destroy_process_group()
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world)
    for name, members in sorted(groups.items()):
        if name != dist.group.WORLD.group_name:
            if name.isdigit():
                dist.distributed_c10d._world.group_count = int(name)  # which becomes the name
            group = dist.new_group(members)
            if group.group_name != name:
                torch._C._distributed_c10d._register_process_group(name, group)


def _lower_rank(capture, out, target, most, kernels):
    operators.define(capture["operators"])
    data = tensors.read(os.path.join(out, "data.safetensors"))
    folder = os.path.join(out, "plans", target)
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for graph in capture["graphs"]:
        _CHOICES.seen = 0
        choice = 0
        while choice == 0 or choice < min(most, _CHOICES.seen):
            plan = _plan(graph, target, choice, out, capture["groups"], data, kernels)
            failed += "failed" in plan
            if choice == 0:
                plan["choices"] = max(1, min(most, _CHOICES.seen))
            if choice == 0 and _CHOICES.seen > most:
                plan.setdefault("notes", []).append(
                    "autotuning would choose from %d templates, of which %s are here" % (_CHOICES.seen, most))
            _write(folder, plan)
            choice += 1
    return failed
