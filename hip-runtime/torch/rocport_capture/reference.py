"""Runs the calls of plans on the GPU of this machine and records what each of them writes.

The kernels are those that Inductor wrote for the AMD GPU, compiled for this GPU; operators are
PyTorch's own. Without a GPU, nothing but the results of the graph without compilation is recorded.
"""

import hashlib
import json
import os
import sys

import torch

from . import operators, ranks, tensors

_MOST = 8192
_PRODUCTS = {"aten::%s%s" % (n, o) for n in ("mm", "bmm", "addmm", "baddbmm") for o in ("", ".out")}
_RANDOM = ("rand", "normal", "bernoulli", "dropout", "multinomial", "uniform", "exponential", "rrelu")


def _operator(name):
    space, _, rest = name.partition("::")
    function, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), function), overload or "default")


class _Machine:
    """Buffers on the GPU, and the calls that use them."""

    def __init__(self, out, plan, data):
        self.out = out
        self.device = "cuda"
        self.plan = plan
        self.buffers = [torch.zeros(n, dtype=torch.uint8, device=self.device) for n in plan["buffers"]]
        for entry in plan["inputs"]:
            self.parts(entry).copy_(data[entry["data"]].reshape(entry["size"]))
        self.functions = {}

    def view(self, v):
        return torch.view_as_complex(self.parts(v)) if v.get("complex") else self.parts(v)

    def parts(self, v):
        """The tensor; complex elements as two real ones."""
        dtype = tensors.TYPES[v["dtype"]]
        storage = self.buffers[v["buffer"]].untyped_storage()
        size = torch.empty(0, dtype=dtype).element_size()
        return torch.empty(0, dtype=dtype, device=self.device).set_(
            storage, v["offset"] // size, tuple(v["size"]), tuple(v["stride"]))

    def value(self, v):
        if isinstance(v, list):
            return [self.value(e) for e in v]
        if not isinstance(v, dict):
            return v
        if "buffer" in v:
            return self.view(v)
        if "float" in v:
            return float(v["float"])
        return self._text(v["text"])

    def _text(self, text):
        if text.startswith("torch."):
            return getattr(torch, text[6:])
        if text.startswith(("cuda", "cpu")):
            return torch.device(self.device)
        raise ValueError("cannot pass %s to an operator" % text)

    def call(self, step, number, given):
        """Calls an operator; its results are put where the plan has them."""
        if not operators.is_known(step["call"]):
            self._take(step, number, given)
            return
        options = {k: self.value(v) for k, v in step["options"].items()}
        result = _operator(step["call"])(*[self.value(a) for a in step["args"]], **options)
        results = [r for r in (result if isinstance(result, (list, tuple)) else [result])
                   if isinstance(r, torch.Tensor)]
        for entry, given in zip(step["results"], results):
            place = self.view(entry)
            if place.data_ptr() != given.data_ptr():
                place.copy_(given.to(self.device).reshape(place.shape))

    def _take(self, step, number, given):
        """Takes the results of an operator of the program from the recording."""
        for i, entry in enumerate(step["results"]):
            name = "s%03d result%d" % (number, i)
            if name not in given:
                raise ValueError("the recording has no result of " + step["call"])
            self.parts(entry).copy_(given[name].reshape(entry["size"]))

    def function(self, candidate):
        key = candidate["source"]
        if key not in self.functions:
            from torch._inductor.codecache import PyCodeCache

            with open(os.path.join(self.out, candidate["source"])) as file:
                text = file.read()
            names = [line.split("(")[0][4:].strip() for line in text.splitlines() if line.startswith("def ")]
            module = PyCodeCache.load(text)
            # Templates also define functions that the kernel calls.
            self.functions[key] = next(f for f in (getattr(module, n) for n in reversed(names))
                                       if hasattr(getattr(f, "fn", None), "arg_names"))
        return self.functions[key].fn

    def launch(self, step):
        candidate = step["candidates"][0]
        function = self.function(candidate)
        given = {}
        for arg in candidate["args"]:
            value = self.value(arg["value"])
            given[arg["name"]] = value
        for name in function.arg_names:
            if name not in given and name in candidate["config"]:
                given[name] = candidate["config"][name]
            elif name not in given and name in candidate["constants"]:
                given[name] = candidate["constants"][name]
        warps = min(32, 2 * candidate["warps"])
        function[tuple(candidate["grid"])](**given, num_warps=warps, num_stages=candidate["stages"])


def _written(step):
    return [(a["name"], a["value"]) for a in step["candidates"][0]["args"] if a.get("written")]


def _results(plan):
    """The results of a graph: name here, name among the recorded ones, place."""
    for i, entry in enumerate(plan["outputs"]):
        if isinstance(entry, dict) and "buffer" in entry:
            yield "out%03d" % i, "%s/out%d" % (plan["recorded"], i), entry
    for entry in plan["mutated"]:
        yield "in%03d" % entry["input"], "%s/in%d" % (plan["recorded"], entry["input"]), entry


def _key(plan):
    """Plans with one key make the same calls; only their code objects differ."""
    steps = []
    for step in plan["steps"]:
        if "launch" in step:
            first = step["candidates"][0]
            steps.append([first["source"], first["grid"], first["args"], first["config"]])
        else:
            steps.append(step)
    text = json.dumps([plan["graph"], plan["inputs"], plan["buffers"], steps, plan["outputs"], plan["mutated"]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _called(plan, called, add):
    """Adds the results of operators as the graph without compilation had them."""
    counts = {}
    for number, step in enumerate(plan["steps"]):
        if "call" not in step or step["call"] in _PRODUCTS:
            continue
        operator = step["call"].partition(".")[0]
        count = counts[operator] = counts.get(operator, -1) + 1
        for i, entry in enumerate(step["results"]):
            value = called.get("%s/%s/%d/%d" % (plan["recorded"], operator, count, i))
            if value is not None and list(value.shape) == entry["size"] and tensors.name(value.dtype) == entry["dtype"]:
                add("s%03d result%d" % (number, i), value)


def _run(out, plan, data, recorded, calls, most):
    eager, called = recorded
    golden = tensors.TensorFile(most)
    given = tensors.TensorFile()
    random = any("call" in s and any(r in s["call"] for r in _RANDOM) for s in plan["steps"])
    if not calls:
        if not random:
            for name, key, _ in _results(plan):
                if key in eager:
                    golden.add(name + " eager", eager[key])
        _called(plan, called, given.add)
        return golden, given, random
    machine = _Machine(out, plan, data)
    kept = {}
    _called(plan, called, kept.__setitem__)
    for number, step in enumerate(plan["steps"]):
        if "call" in step:
            machine.call(step, number, kept)
            for i, entry in enumerate(step["results"]):
                value = machine.view(entry)
                golden.add("s%03d result%d" % (number, i), value)
                if step["call"] not in _PRODUCTS or not value.dtype.is_floating_point:
                    given.add("s%03d result%d" % (number, i), value)
        elif "launch" in step:
            machine.launch(step)
            for name, entry in _written(step):
                golden.add("s%03d %s" % (number, name), machine.view(entry))
    for name, key, entry in _results(plan):
        own = machine.view(entry).cpu()
        golden.add(name, own)
        expected = None if random else eager.get(key)
        if expected is not None:
            golden.add(name + " eager", expected)
    return golden, given, random


def _recorded(out, plan, data, recorded, calls, most):
    """The same; without the calls if the kernels have types that only AMD GPUs have."""
    from triton.compiler import CompilationError

    try:
        return *_run(out, plan, data, recorded, calls, most), ""
    except CompilationError as e:
        why = (str(e.error_message or e).splitlines() or [""])[0]
        note = "was recorded without compilation only: a kernel does not compile for the GPU of the recording: " + why
        return *_run(out, plan, data, recorded, False, most), note


def reference(out, most=_MOST):
    """Writes golden/GRAPH-KEY.safetensors and, for operators with no counterpart, given/..."""
    folders = ranks.folders(out)
    return max(_reference(folder, len(folders) == 1, most) for folder in folders)


def _reference(out, alone, most):
    data = tensors.read(os.path.join(out, "data.safetensors"))
    recorded = [tensors.read(os.path.join(out, "recorded", n + ".safetensors")) for n in ("eager", "called")]
    with open(os.path.join(out, "capture.json")) as file:
        gpu = json.load(file)["gpu"]
    calls = alone and torch.cuda.is_available()
    plans = os.path.join(out, "plans")
    done = {}
    failed = 0
    for target in sorted(os.listdir(plans)):
        for name in sorted(os.listdir(os.path.join(plans, target))):
            path = os.path.join(plans, target, name)
            with open(path) as file:
                plan = json.load(file)
            if "failed" in plan:
                continue
            key = "%s-%s" % (plan["graph"], _key(plan))
            if key not in done:
                try:
                    golden, given, random, note = _recorded(out, plan, data, recorded, calls, int(most))
                except Exception as e:  # pylint: disable=broad-except  # the other graphs go on
                    if "ROCPORT_CAPTURE_TRACE" in os.environ:
                        raise
                    failed += 1
                    done[key] = {"reference_failed": "%s: %s" % (type(e).__name__, (str(e).splitlines() or [""])[0])}
                    print("rocport: %s: %s" % (key, done[key]["reference_failed"]), file=sys.stderr)
                else:
                    golden.metadata.update(gpu=gpu, torch=torch.__version__, graph=plan["graph"])
                    golden.write(os.path.join(out, "golden", key + ".safetensors"))
                    if given.entries:
                        given.write(os.path.join(out, "given", key + ".safetensors"))
                    done[key] = {"golden": "golden/%s.safetensors" % key, "random": random,
                                 "reference": gpu}
                    if given.entries:
                        done[key]["given"] = "given/%s.safetensors" % key
                    if note:
                        done[key]["notes"] = plan["notes"] + [note]
            plan.update(done[key])
            with open(path, "w") as file:
                json.dump(plan, file, indent=1)
                file.write("\n")
    return 1 if failed else 0
