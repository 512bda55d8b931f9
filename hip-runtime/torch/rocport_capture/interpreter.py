"""Runs recorded graphs without compilation, operator by operator."""

import torch

from . import collectives


def _on_hosts(call):
    """The collective over a process group whose tensors are in host memory."""
    import torch.distributed as dist

    group = dist.distributed_c10d._resolve_process_group(call.group)
    ranks = len(call.ranks)
    own = dist.get_rank(group)
    out = call.result()
    operand = call.operand.contiguous()
    if call.kind == "broadcast":
        whole = operand.clone()
        dist.broadcast(whole, call.ranks[call.root], group=group)
        return out.copy_(whole)
    parts = [torch.empty_like(operand) for _ in range(ranks)]
    dist.all_gather(parts, operand, group=group)
    if call.kind == "all_gather":
        return out.copy_(torch.cat(parts).reshape(out.shape))
    if call.kind == "all_to_all":
        return out.copy_(torch.cat([part.chunk(ranks)[own] for part in parts]).reshape(out.shape))
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
        total = total.chunk(ranks)[own]
    return out.copy_(total.reshape(out.shape))


class Interpreter(torch.fx.Interpreter):
    """Runs a graph operator by operator, also where the operands of collectives are not symmetric.

    GROUPS receives the ranks of each group, READS the values that decide which parts of a graph run;
    KEEP is called with each operator, its arguments and its result.
    """

    _shared = {}

    def __init__(self, module, groups, keep=lambda *_: None, reads=None):
        super().__init__(module)
        self.groups = groups
        self.keep = keep
        self.reads = [] if reads is None else reads

    def _part(self, module, args):
        return Interpreter(module, self.groups, self.keep, self.reads).run(*args)

    def _read(self, value):
        """The value of a condition; the host reads that of a tensor."""
        if isinstance(value, torch.Tensor):
            value = value.item()
            self.reads.append(value)
        return value

    def _cond(self, predicate, then, otherwise, operands=()):
        return self._part(then if self._read(predicate) else otherwise, operands)

    def _while_loop(self, condition, body, carried, additional=()):
        values = tuple(carried)
        while self._read(self._part(condition, (*values, *additional))):
            values = tuple(self._part(body, (*values, *additional)))
        return values

    def call_function(self, target, args, kwargs):
        if target is torch.ops.higher_order.cond:
            return self._cond(*args, **kwargs)
        if target is torch.ops.higher_order.while_loop:
            return self._while_loop(*args, **kwargs)
        if not collectives.is_collective(target):
            result = super().call_function(target, args, kwargs)
            if target is torch.ops.aten._local_scalar_dense.default:
                self.reads.append(result)
            self.keep(target, args, kwargs, result)
            return result
        name = {**dict(zip([a.name for a in target._schema.arguments], args)), **kwargs}["group_name"]
        self.groups.setdefault(name, collectives.ranks_of(name))
        call = collectives.Collective(target, args, kwargs, self.groups)
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
