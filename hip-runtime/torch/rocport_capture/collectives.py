"""Collectives of compiled graphs: what they do, and how they run on the machine of the recording."""

import torch

_SPACES = ("symm_mem", "_c10d_functional")

# Operators by what they do. Those of symm_mem expect their operand in symmetric memory.
KINDS = {
    "symm_mem::one_shot_all_reduce": "all_reduce",
    "symm_mem::one_shot_all_reduce_out": "all_reduce",
    "symm_mem::one_shot_all_reduce_copy": "all_reduce",
    "symm_mem::one_shot_all_reduce_copy_out": "all_reduce",
    "symm_mem::two_shot_all_reduce_": "all_reduce",
    "symm_mem::two_shot_all_reduce_out": "all_reduce",
    "symm_mem::_low_contention_all_gather": "all_gather",
    "symm_mem::_low_contention_reduce_scatter": "reduce_scatter",
    "_c10d_functional::all_reduce": "all_reduce",
    "_c10d_functional::all_reduce_": "all_reduce",
    "_c10d_functional::all_gather_into_tensor": "all_gather",
    "_c10d_functional::all_gather_into_tensor_out": "all_gather",
    "_c10d_functional::reduce_scatter_tensor": "reduce_scatter",
    "_c10d_functional::broadcast": "broadcast",
    "_c10d_functional::broadcast_": "broadcast",
}
_OPERANDS = ("local_input", "input", "tensor", "self")
_REDUCTIONS = ("sum", "avg", "product", "min", "max")


class CollectiveError(Exception):
    """A collective that cannot be replayed, with the reason."""


def is_collective(func):
    """Whether an operator of PyTorch belongs to one of the libraries of collectives."""
    return isinstance(func, torch._ops.OpOverload) and func.namespace in _SPACES \
        and not is_wait(func)


def is_wait(func):
    """Whether an operator only waits for a collective."""
    return isinstance(func, torch._ops.OpOverload) and func._schema.name == "_c10d_functional::wait_tensor"


class Collective:
    """One call of a collective: its kind and its arguments by name."""

    def __init__(self, func, args, kwargs):
        schema = func._schema
        self.operator = schema.name
        self.kind = KINDS.get(schema.name)
        if self.kind is None:
            raise CollectiveError("the collective %s" % schema.name)
        given = dict(zip([a.name for a in schema.arguments], args))
        given.update(kwargs)
        self.symmetric = func.namespace == "symm_mem"
        self.operand = next(given[n] for n in _OPERANDS if n in given)
        # The memory that the ranks share: the operand itself, or a buffer to which it is copied.
        self.shared = given.get("symm_buffer", self.operand)
        self.reduction = given.get("reduce_op", "")
        self.root = given.get("src", 0)
        self.group = given["group_name"]
        self.out = given.get("out", given.get("output"))
        if schema.name.endswith("_"):
            self.out = self.operand
        if self.reduction and self.reduction not in _REDUCTIONS:
            raise CollectiveError("the reduction %s of %s" % (self.reduction, self.operator))

    def require_all_ranks(self):
        """Fails if the group is not that of all ranks."""
        if self.group != torch.distributed.group.WORLD.group_name:
            raise CollectiveError("%s in a group that is not that of all ranks" % self.operator)

    def shape(self, ranks):
        size = list(self.operand.shape)
        if self.kind == "all_gather":
            size[0] *= ranks
        elif self.kind == "reduce_scatter":
            if size[0] % ranks:
                raise CollectiveError("%s of %d rows on %d ranks" % (self.operator, size[0], ranks))
            size[0] //= ranks
        return size

    def result(self, ranks):
        """The tensor for the result: that of the caller, or a new one."""
        if self.out is not None:
            return self.out
        return torch.empty(self.shape(ranks), dtype=self.operand.dtype, device=self.operand.device)


def _on_hosts(call):
    """The collective over a process group whose tensors are in host memory."""
    import torch.distributed as dist

    call.require_all_ranks()
    ranks = dist.get_world_size()
    out = call.result(ranks)
    operand = call.operand.contiguous()
    if call.kind == "broadcast":
        whole = operand.clone()
        dist.broadcast(whole, call.root)
        return out.copy_(whole)
    parts = [torch.empty_like(operand) for _ in range(ranks)]
    dist.all_gather(parts, operand)
    if call.kind == "all_gather":
        return out.copy_(torch.cat(parts).reshape(out.shape))
    # Each addition rounds to the type, in the order of the ranks.
    total = parts[0]
    for part in parts[1:]:
        if call.reduction in ("sum", "avg"):
            total = total + part
        elif call.reduction == "product":
            total = total * part
        else:
            total = (torch.minimum if call.reduction == "min" else torch.maximum)(total, part)
    if call.reduction == "avg":
        total = total / ranks
    if call.kind == "reduce_scatter":
        total = total.chunk(ranks)[dist.get_rank()]
    return out.copy_(total.reshape(out.shape))


class Interpreter(torch.fx.Interpreter):
    """Runs a graph operator by operator, also where the operands of collectives are not symmetric."""

    _shared = {}

    def call_function(self, target, args, kwargs):
        if not is_collective(target):
            return super().call_function(target, args, kwargs)
        call = Collective(target, args, kwargs)
        if not call.operand.is_cuda:
            return _on_hosts(call)
        if call.symmetric and call.shared is call.operand:
            return self._on_gpus(target, call, args, kwargs)
        return super().call_function(target, args, kwargs)

    def _on_gpus(self, target, call, args, kwargs):
        """The operator itself, on a copy of its operand in symmetric memory."""
        import torch.distributed._symmetric_memory as symm_mem

        given = call.operand
        key = (tuple(given.shape), given.dtype, call.group)
        if key not in self._shared:
            self._shared[key] = symm_mem.empty(tuple(given.shape), dtype=given.dtype, device=given.device)
            symm_mem.rendezvous(self._shared[key], call.group)
        copy = self._shared[key]
        copy.copy_(given)
        result = super().call_function(target, tuple(copy if a is given else a for a in args), kwargs)
        torch.cuda.synchronize()
        if call.out is given:
            given.copy_(copy)
            return given
        return result.clone() if result.data_ptr() == copy.data_ptr() else result
