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
    "_c10d_functional::all_to_all_single": "all_to_all",
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


def ranks_of(group):
    """The ranks of a process group of this process, by its name."""
    import torch.distributed as dist

    return dist.get_process_group_ranks(dist.distributed_c10d._resolve_process_group(group))


class Collective:
    """One call of a collective: its kind and its arguments by name."""

    def __init__(self, func, args, kwargs, groups):
        """GROUPS has the ranks of each group by its name."""
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
        if self.group not in groups:
            raise CollectiveError("%s in a group that the recording did not use" % schema.name)
        self.ranks = groups[self.group]
        if self.kind == "all_to_all" and len({*given["output_split_sizes"], *given["input_split_sizes"]}) != 1:
            raise CollectiveError("%s with parts of several sizes" % schema.name)
        self.out = given.get("out", given.get("output"))
        if schema.name.endswith("_"):
            self.out = self.operand
        if self.reduction and self.reduction not in _REDUCTIONS:
            raise CollectiveError("the reduction %s of %s" % (self.reduction, self.operator))

    def shape(self):
        ranks = len(self.ranks)
        size = list(self.operand.shape)
        if self.kind == "all_gather":
            size[0] *= ranks
        elif self.kind == "reduce_scatter":
            if size[0] % ranks:
                raise CollectiveError("%s of %d rows on %d ranks" % (self.operator, size[0], ranks))
            size[0] //= ranks
        return size

    def result(self):
        """The tensor for the result: that of the caller, or a new one."""
        if self.out is not None:
            return self.out
        return torch.empty(self.shape(), dtype=self.operand.dtype, device=self.operand.device)
