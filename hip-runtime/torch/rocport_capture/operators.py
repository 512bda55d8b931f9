"""Operators that a program defines: how Inductor sees them, without what computes them.

A recording has the schema of each, and what its results looked like for the arguments of each call;
the process that lowers graphs defines operators of these names, which compute nothing.
"""

import torch

from . import tensors

# Namespaces of PyTorch that other modules of the capture know.
_OWN = ("aten", "prims", "inductor", "_c10d_functional", "symm_mem")

_LIBRARIES = []


def _flat(*values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _flat(*value)
        elif isinstance(value, dict):
            yield from _flat(*value.values())
        else:
            yield value


def _key(args, kwargs):
    """What the layouts of the results depend on; strides are Inductor's to choose."""
    return repr([[tensors.name(v.dtype), [int(n) for n in v.shape]] if isinstance(v, torch.Tensor) else v
                 for v in _flat(args, kwargs)])


def _symmetric(name):
    from torch._library import simple_registry

    entry = simple_registry.singleton.find(name)
    holder = getattr(entry, "symm_mem_args", None)
    return sorted(holder.get() or ()) if holder is not None else []


def _out(func):
    """The schema of the out variant that Inductor would call; None if there is none."""
    try:
        from torch._library._out_variant import to_out_variant

        found = to_out_variant(func)
    except (ImportError, RuntimeError):
        return None
    return None if found is None else str(found._schema)


def is_of_program(func):
    return isinstance(func, torch._ops.OpOverload) and func.namespace not in _OWN


def note(func, args, kwargs, results, into):
    """Writes down an operator of the program, and the layouts of its results."""
    if not is_of_program(func) or not results or not all(tensors.known(r.dtype) for r in results):
        return
    name = func._schema.name
    known = into.setdefault(name, {
        "schema": str(func._schema), "out": _out(func), "symmetric": _symmetric(name), "results": {},
    })
    known["results"][_key(args, kwargs)] = [
        {"dtype": str(r.dtype)[len("torch."):], "size": list(r.shape), "stride": list(r.stride())} for r in results]


def is_known(name):
    """Whether this process has an operator such as "aten::mm"."""
    space, _, rest = name.partition("::")
    return hasattr(getattr(torch.ops, space), rest.partition(".")[0])


def define(recorded):
    """Defines the recorded operators that PyTorch does not have."""
    for name, operator in sorted(recorded.items()):
        if not is_known(name):
            _define(name, operator)


def _define(name, operator):
    space, _, short = name.partition("::")

    def run(*args, **kwargs):
        layouts = operator["results"].get(_key(args, kwargs))
        if layouts is None:
            raise ValueError("%s was not recorded with such arguments" % name)
        device = next(v.device for v in _flat(args, kwargs) if isinstance(v, torch.Tensor))
        made = [torch.empty_strided(r["size"], r["stride"], dtype=getattr(torch, r["dtype"]), device=device)
                for r in layouts]
        returned = operator["schema"].rpartition("->")[2]
        if returned.strip() == "Tensor":
            return made[0]
        return made if "[]" in returned else tuple(made)

    library = torch.library.Library(space, "FRAGMENT")
    library.define(operator["schema"].partition("::")[2])
    library.impl(short, run, "CompositeExplicitAutograd")
    if operator["out"] is not None:
        library.define(operator["out"].partition("::")[2], tags=(torch.Tag.out,))
        overload = operator["out"].partition("::")[2].partition("(")[0]
        library.impl(overload, lambda *args, out, **kwargs: out, "CompositeExplicitAutograd")
    if operator["symmetric"] and hasattr(library, "register_symm_mem_args"):
        library.register_symm_mem_args(short, operator["symmetric"])
    _LIBRARIES.append(library)
