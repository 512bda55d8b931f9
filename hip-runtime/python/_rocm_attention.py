"""flash-attn's names for ROCm. Written by rocport.

Arguments, shapes and results are those of flash-attn 2.8. Three ways to compute, tried in this order:

    aiter   AMD's kernels, on gfx942 and gfx950, for half precision
    sdpa    torch.nn.functional.scaled_dot_product_attention
    eager   matrix products in single precision; needs memory for all scores

ROCPORT_ATTENTION=aiter, sdpa or eager at the start of the program allows only that one. Calls that one implementation
does not support go to the next; a call that none supports raises NotImplementedError with the reasons.

Rows that may attend to no key give zeros and a logsumexp of +inf, as with flash-attn. No gradient flows through
the logsumexp, as with flash-attn. With alibi_slopes, it includes the bias of the scores. `deterministic` applies to
aiter; the others follow torch.use_deterministic_algorithms.
"""

import inspect
import os
from typing import Any, NamedTuple, Optional

import torch
import torch.nn.functional as F

try:
    from ._rocm import gcn_arch, is_rocm
except ImportError:
    from _rocm import gcn_arch, is_rocm

__all__ = [
    "FlashCrossAttention",
    "FlashSelfAttention",
    "flash_attn_func",
    "flash_attn_kvpacked_func",
    "flash_attn_qkvpacked_func",
    "flash_attn_varlen_func",
    "flash_attn_varlen_kvpacked_func",
    "flash_attn_varlen_qkvpacked_func",
    "flash_attn_with_kvcache",
    "index_first_axis",
    "index_put_first_axis",
    "pad_input",
    "unpad_input",
    "unpad_input_before_2_7",
]

# Programs that support several versions select their calls by this version.
__version__ = "2.8.3"

# Number of scores per step of the logsumexp: 256 MiB in single precision.
_SCORES = 1 << 26


class _Call(NamedTuple):
    """Attention of queries [B, Sq, H, D] over keys and values [B, Sk, Hk, D]; without B for packed sequences,
    whose limits are cu_seqlens_q and cu_seqlens_k."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    scale: float
    dropout_p: float = 0.0
    causal: bool = False
    window: Any = (-1, -1)
    softcap: float = 0.0
    alibi_slopes: Optional[torch.Tensor] = None
    deterministic: bool = False
    lse: bool = False
    dropped: bool = False  # return the probabilities, dropped ones negative
    cu_seqlens_q: Optional[torch.Tensor] = None
    cu_seqlens_k: Optional[torch.Tensor] = None
    max_seqlen_q: int = 0
    max_seqlen_k: int = 0
    block_table: Optional[torch.Tensor] = None
    ends: Optional[torch.Tensor] = None  # [B]: keys from here on are missing
    starts: Optional[torch.Tensor] = None  # [B]: keys before this are missing

    @property
    def packed(self):
        return self.cu_seqlens_q is not None

    def bounds(self):
        """Returns how far a row attends to the left and right of its position; negative: without limit."""
        left, right = self.window
        if right >= (self.max_seqlen_k or self.k.shape[1]):
            right = -1  # as in flash-attn, also if there are more queries than keys
        return left, 0 if self.causal else right


def _make(q, k, v, softmax_scale, window_size, **others):
    if q.shape[-2] % k.shape[-2]:
        raise ValueError(
            "the number of key heads (%d) does not divide the number of query heads (%d)" % (k.shape[-2], q.shape[-2])
        )
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    return _Call(q, k, v, scale, window=tuple(window_size), **others)


# ---- the scores ----------------------------------------------------------------------------------------------


def _distance(call, first, last):
    """Returns the distance of each key to the left of each row; the last row is at the last key."""
    sq, sk = call.q.shape[1], call.k.shape[1]
    end = sk if call.ends is None else call.ends.view(-1, 1, 1, 1)
    rows = torch.arange(first, last, device=call.q.device).unsqueeze(1)
    return rows + (end - sq) - torch.arange(sk, device=call.q.device)


def _mask(call, first, last):
    """Returns which keys each row attends to, [rows, Sk] or [B, 1, rows, Sk]; None: all."""
    sq, sk = call.q.shape[1], call.k.shape[1]
    left, right = call.bounds()
    everywhere = call.ends is None
    masks = []
    if right >= 0 and not (everywhere and right >= sq - 1):
        masks.append(_distance(call, first, last) >= -right)
    if left >= 0 and not (everywhere and left >= sk - 1):
        masks.append(_distance(call, first, last) <= left)
    columns = torch.arange(sk, device=call.q.device)
    if call.ends is not None:
        masks.append(columns < call.ends.view(-1, 1, 1, 1))
    if call.starts is not None:
        masks.append(columns >= call.starts.view(-1, 1, 1, 1))
    keep = None
    for mask in masks:
        keep = mask if keep is None else keep & mask
    return keep


def _alibi(call, first, last, kind):
    """Returns the bias of each score, [B or 1, H, rows, Sk]."""
    slopes = call.alibi_slopes.to(kind).view(-1, call.q.shape[2], 1, 1)
    return -slopes * _distance(call, first, last).abs()


def _scores(call, first, last):
    """Returns the scores of these rows before the softmax, [B, H, rows, Sk], in single precision or better."""
    kind = torch.promote_types(call.q.dtype, torch.float32)
    b, _, h, d = call.q.shape
    sk, hk = call.k.shape[1:3]
    q = call.q[:, first:last].transpose(1, 2).reshape(b, hk, h // hk, last - first, d)
    k = call.k.permute(0, 2, 3, 1).unsqueeze(2)
    scores = (torch.matmul(q.to(kind), k.to(kind)) * call.scale).reshape(b, h, last - first, sk)
    if call.softcap > 0:
        scores = call.softcap * torch.tanh(scores / call.softcap)
    if call.alibi_slopes is not None:
        scores = scores + _alibi(call, first, last, kind)
    keep = _mask(call, first, last)
    return scores if keep is None else scores.masked_fill(~keep, float("-inf"))


def _no_keys_infinite(lse):
    return torch.where(lse == float("-inf"), -lse, lse)


@torch.no_grad()
def _logsumexp(call):
    """Returns the logsumexp [B, H, Sq] in single precision, computed some rows at a time."""
    b, sq, h, _ = call.q.shape
    rows = max(1, _SCORES // max(1, b * h * call.k.shape[1]))
    parts = [
        torch.logsumexp(_scores(call, first, min(first + rows, sq)), -1) for first in range(0, max(sq, 1), rows)
    ]
    return _no_keys_infinite(torch.cat(parts, -1)).float()


# ---- the tiers: each returns output, logsumexp and probabilities, or the reason why it cannot ----------------


def _eager(call):
    if call.packed:
        if call.dropped and call.dropout_p > 0:
            return "eager does not return the dropout pattern of packed sequences"
        return _each_sequence(call, _eager)
    scores = _scores(call, 0, call.q.shape[1])
    b, h, sq, sk = scores.shape
    # Subtracting the maximum keeps exp in range; rows without keys have no maximum and a sum of zero.
    top = scores.detach().amax(-1, keepdim=True) if sk else scores.new_zeros(b, h, sq, 1)
    top = top.masked_fill(top == float("-inf"), 0)
    weights = torch.exp(scores - top)
    total = weights.sum(-1, keepdim=True)
    probabilities = weights / total.masked_fill(total == 0, 1)
    lse = _no_keys_infinite((top + total.log()).squeeze(-1)).detach().float() if call.lse else None
    dropped = call.q.new_empty(0)
    kept = probabilities
    if call.dropout_p > 0:
        keep = torch.rand_like(probabilities) >= call.dropout_p
        kept = probabilities * keep / max(1 - call.dropout_p, 1e-38)
        if call.dropped:
            dropped = torch.where(keep, probabilities, -probabilities).detach().to(call.q.dtype)
    hk = call.v.shape[2]
    v = call.v.transpose(1, 2).unsqueeze(2).to(scores.dtype)
    out = torch.matmul(kept.view(b, hk, h // hk, sq, sk), v).reshape(b, h, sq, call.v.shape[-1])
    return out.transpose(1, 2).to(call.q.dtype).contiguous(), lse, dropped


# GQA without copies of the keys: since torch 2.5, in the kernels for half precision without a mask.
_GROUPS = tuple(int(n) for n in torch.__version__.split(".")[:2]) >= (2, 5)
_HALF = (torch.float16, torch.bfloat16)


def _sdpa(call):
    if call.softcap > 0:
        return "scaled_dot_product_attention does not support softcap"
    if call.dropped and call.dropout_p > 0:
        return "scaled_dot_product_attention does not return its dropout pattern"
    if call.alibi_slopes is not None and call.q.dtype in _HALF:
        return "scaled_dot_product_attention would round the bias of alibi_slopes to half precision"
    if call.packed:
        return _each_sequence(call, _sdpa)
    sq, h, sk = call.q.shape[1], call.q.shape[2], call.k.shape[1]
    if sk == 0 or sq == 0:
        return _eager(call)
    left, right = call.bounds()
    # is_causal is aligned to the upper left, flash-attn to the lower right: equal only if both have the same length.
    square = right == 0 and left < 0 and sq == sk and call.ends is None and call.starts is None
    square = square and call.alibi_slopes is None
    keep = None if square else _mask(call, 0, sq)
    lonely = None
    if keep is not None:
        # The softmax of a row without keys is undefined, and so are its gradients: unmask the row, then clear it.
        lonely = ~keep.any(-1, keepdim=True)
        keep = keep | lonely
    bias = keep
    if call.alibi_slopes is not None:
        bias = _alibi(call, 0, sq, call.q.dtype)
        bias = bias if keep is None else bias.masked_fill(~keep, float("-inf"))
    q, k, v = (t.transpose(1, 2) for t in (call.q, call.k, call.v))
    others = {}
    groups = h // k.shape[1]
    if groups > 1:
        if _GROUPS and bias is None and call.q.dtype in _HALF:
            others["enable_gqa"] = True
        else:
            k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    out = F.scaled_dot_product_attention(
        q, k, v, attn_mask=bias, dropout_p=call.dropout_p, is_causal=square, scale=call.scale, **others
    )
    if lonely is not None:
        out = out.masked_fill(lonely, 0)
    lse = _logsumexp(call) if call.lse else None
    return out.transpose(1, 2).contiguous(), lse, call.q.new_empty(0)


def _each_sequence(call, tier):
    """Computes packed sequences one by one, or all at once if they have the same length."""
    ends_q, ends_k = call.cu_seqlens_q.tolist(), call.cu_seqlens_k.tolist()
    b = len(ends_q) - 1
    lengths = {(ends_q[i + 1] - ends_q[i], ends_k[i + 1] - ends_k[i]) for i in range(b)}
    alone = call._replace(cu_seqlens_q=None, cu_seqlens_k=None, block_table=None)
    if len(lengths) == 1 and call.block_table is None:
        ((nq, nk),) = lengths
        q = call.q[ends_q[0] : ends_q[-1]].unflatten(0, (b, nq))
        k, v = (t[ends_k[0] : ends_k[-1]].unflatten(0, (b, nk)) for t in (call.k, call.v))
        out, lse, _ = tier(alone._replace(q=q, k=k, v=v))
        outs, lses = [out.flatten(0, 1)], [lse.transpose(0, 1).flatten(1) if call.lse else None]
    else:
        outs, lses = [], []
        for i in range(b):
            nk = ends_k[i + 1] - ends_k[i]
            if call.block_table is None:
                k, v = (t[ends_k[i] : ends_k[i + 1]] for t in (call.k, call.v))
            else:
                k, v = (t[call.block_table[i].long()].flatten(0, 1)[:nk] for t in (call.k, call.v))
            slopes = call.alibi_slopes
            if slopes is not None and slopes.dim() == 2:
                slopes = slopes[i : i + 1]
            q = call.q[ends_q[i] : ends_q[i + 1]]
            one = alone._replace(q=q.unsqueeze(0), k=k.unsqueeze(0), v=v.unsqueeze(0), alibi_slopes=slopes)
            out, lse, _ = tier(one)
            outs.append(out.squeeze(0))
            lses.append(lse.squeeze(0) if call.lse else None)
    rest = call.q.shape[0] - ends_q[-1]  # rows that belong to no sequence
    if rest:
        outs.append(outs[0].new_zeros((rest,) + outs[0].shape[1:]))
        lses.append(outs[0].new_zeros((outs[0].shape[1], rest), dtype=torch.float32))
    return torch.cat(outs), torch.cat(lses, -1) if call.lse else None, call.q.new_empty(0)


def _import_aiter():
    """Returns the module, or why it is missing. aiter inspects the machine when it is imported, which may fail."""
    if not is_rocm:
        return None, "aiter requires ROCm"
    if _ONLY not in (None, "aiter"):
        return None, "aiter is not selected"
    try:
        import aiter
    except Exception as e:
        return None, "aiter cannot be imported (%s: %s)" % (type(e).__name__, e)
    return aiter, None


_AITER_ARCHS = ("gfx942", "gfx950")
_archs = {}


def _on_aiter_gpu(tensor):
    if not tensor.is_cuda:
        return False
    if tensor.device not in _archs:
        _archs[tensor.device] = gcn_arch(tensor.device)
    return _archs[tensor.device] in _AITER_ARCHS


def _aiter(call):
    """Calls the operator, which torch.compile can trace; with gradients aiter's function, which has a backward."""
    if _aiter_module is None:
        return _no_aiter
    if not _on_aiter_gpu(call.q):
        return "aiter supports only the GPUs " + " and ".join(_AITER_ARCHS)
    if call.q.dtype not in _HALF or call.q.shape[-1] > 256:
        return "aiter supports only float16 and bfloat16, and heads of up to 256 elements"
    if call.dropped and call.dropout_p > 0:
        return "aiter returns its dropout pattern in another form"
    if call.block_table is not None or call.ends is not None or call.starts is not None:
        return "aiter is not used for keys in a cache"
    gradients = torch.is_grad_enabled() and any(t.requires_grad for t in (call.q, call.k, call.v))
    given = _aiter_arguments(call, gradients)
    if gradients:
        function = getattr(_aiter_module, "flash_attn_varlen_func" if call.packed else "flash_attn_func", None)
        if function is None:
            return "this aiter has no function with a backward"
        parameters = inspect.signature(function).parameters
        taken, required = set(parameters), {n for n, p in parameters.items() if p.default is p.empty}
        if "window_size" in parameters:
            # Later builds have a third number: keys at the start that every row attends to.
            usual = parameters["window_size"].default
            given["window_size"] = call.window + tuple(usual if isinstance(usual, tuple) else ())[2:]
    else:
        packet = getattr(torch.ops.aiter, "mha_varlen_fwd" if call.packed else "mha_fwd", None)
        if packet is None:
            return "this aiter has no operator for it"
        function = packet.default
        arguments = function._schema.arguments
        taken, required = {a.name for a in arguments}, {a.name for a in arguments if not a.has_default_value()}
        # Kernels read rows of eight elements; the scale is explicit, so zeros change nothing.
        odd = -call.q.shape[-1] % 8
        for name in "qkv":
            given[name] = F.pad(given[name], (0, odd)) if odd else given[name]
            if given[name].stride(-1) != 1:
                given[name] = given[name].contiguous()
    if not required <= set(given):
        return "this aiter requires " + ", ".join(sorted(required - set(given)))
    for name, wanted in (("logits_soft_cap", call.softcap > 0), ("alibi_slopes", call.alibi_slopes is not None)):
        if wanted and name not in taken:
            return "this aiter has no " + name
    result = function(**{name: value for name, value in given.items() if name in taken})
    result = result if isinstance(result, (tuple, list)) else (result,)
    out = result[0][..., : call.v.shape[-1]]
    return out, _no_keys_infinite(result[1]) if call.lse else None, call.q.new_empty(0)


def _aiter_arguments(call, gradients):
    """Returns all possible arguments of aiter's operators and functions, by name."""
    given = {
        "q": call.q,
        "k": call.k,
        "v": call.v,
        "dropout_p": call.dropout_p,
        "softmax_scale": call.scale,
        "logits_soft_cap": call.softcap,
        "causal": call.causal,
        "is_causal": call.causal,
        "window_size_left": call.window[0],
        "window_size_right": call.window[1],
        "sink_size": 0,
        "alibi_slopes": call.alibi_slopes,
        "deterministic": call.deterministic,
        "return_lse": call.lse or gradients,  # the backward needs it
        "return_softmax_lse": call.lse,
        "return_dropout_randval": False,
    }
    if call.packed:
        given["cu_seqlens_q"], given["cu_seqlens_k"] = call.cu_seqlens_q, call.cu_seqlens_k
        given["max_seqlen_q"], given["max_seqlen_k"] = call.max_seqlen_q, call.max_seqlen_k
        given["min_seqlen_q"], given["zero_tensors"] = 0, False
    return given


_TIERS = {"aiter": _aiter, "sdpa": _sdpa, "eager": _eager}
_ONLY = os.environ.get("ROCPORT_ATTENTION") or None
if _ONLY not in (None,) + tuple(_TIERS):
    raise ValueError("ROCPORT_ATTENTION is %r; it can be %s" % (_ONLY, ", ".join(_TIERS)))
_aiter_module, _no_aiter = _import_aiter()


def _attend(call):
    reasons = []
    for name, tier in _TIERS.items():
        if _ONLY in (None, name):
            result = tier(call)
            if not isinstance(result, str):
                return result
            reasons.append(result)
    raise NotImplementedError("; ".join(reasons))


def _result(call):
    out, lse, dropped = _attend(call)
    return (out, lse, dropped) if call.dropped else out


# ---- flash_attn ----------------------------------------------------------------------------------------------


def flash_attn_func(
    q,
    k,
    v,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    """Attention of q [B, Sq, H, D] over k and v [B, Sk, Hk, D]; with return_attn_probs also the logsumexp [B, H, Sq]
    and the probabilities, which are empty without dropout."""
    return _result(
        _make(
            q,
            k,
            v,
            softmax_scale,
            window_size,
            dropout_p=dropout_p,
            causal=causal,
            softcap=softcap,
            alibi_slopes=alibi_slopes,
            deterministic=deterministic,
            lse=return_attn_probs,
            dropped=return_attn_probs,
        )
    )


def flash_attn_kvpacked_func(q, kv, *args, **kwargs):
    """kv: [B, Sk, 2, Hk, D]. The other arguments are those of flash_attn_func after v."""
    return flash_attn_func(q, kv[:, :, 0], kv[:, :, 1], *args, **kwargs)


def flash_attn_qkvpacked_func(qkv, *args, **kwargs):
    """qkv: [B, S, 3, H, D]. The other arguments are those of flash_attn_func after v."""
    return flash_attn_func(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2], *args, **kwargs)


def flash_attn_varlen_func(
    q,
    k,
    v,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
    block_table=None,
):
    """Sequences packed into [total_q, H, D] and [total_k, Hk, D]; the logsumexp is [H, total_q]. With block_table
    k and v are pages [pages, rows, Hk, D]."""
    return _result(
        _make(
            q,
            k,
            v,
            softmax_scale,
            window_size,
            dropout_p=dropout_p,
            causal=causal,
            softcap=softcap,
            alibi_slopes=alibi_slopes,
            deterministic=deterministic,
            lse=return_attn_probs,
            dropped=return_attn_probs,
            cu_seqlens_q=cu_seqlens_q,
            cu_seqlens_k=cu_seqlens_k,
            max_seqlen_q=int(max_seqlen_q),
            max_seqlen_k=int(max_seqlen_k),
            block_table=block_table,
        )
    )


def flash_attn_varlen_kvpacked_func(
    q, kv, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, *args, **kwargs
):
    """kv: [total_k, 2, Hk, D]. The other arguments are those of flash_attn_varlen_func after max_seqlen_k."""
    return flash_attn_varlen_func(
        q, kv[:, 0], kv[:, 1], cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, *args, **kwargs
    )


def flash_attn_varlen_qkvpacked_func(qkv, cu_seqlens, max_seqlen, *args, **kwargs):
    """qkv: [total, 3, H, D]. The other arguments are those of flash_attn_varlen_func after max_seqlen_k."""
    return flash_attn_varlen_func(
        qkv[:, 0], qkv[:, 1], qkv[:, 2], cu_seqlens, cu_seqlens, max_seqlen, max_seqlen, *args, **kwargs
    )


@torch.no_grad()
def flash_attn_with_kvcache(
    q,
    k_cache,
    v_cache,
    k=None,
    v=None,
    rotary_cos=None,
    rotary_sin=None,
    cache_seqlens=None,
    cache_batch_idx=None,
    cache_leftpad=None,
    block_table=None,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    rotary_interleaved=True,
    alibi_slopes=None,
    num_splits=0,
    return_softmax_lse=False,
):
    """Attention over a cache [B, S, Hk, D], or over pages of it with block_table; k and v are first written into it
    at cache_seqlens. If that is a tensor, nothing waits for the GPU, and the whole cache is processed."""
    b, sq = q.shape[:2]
    new = 0
    known = cache_seqlens if isinstance(cache_seqlens, int) else None
    if isinstance(cache_seqlens, int):
        cache_seqlens = torch.full((b,), cache_seqlens, device=q.device)
    if k is not None:
        if cache_seqlens is None or v is None:
            raise ValueError("k requires v and cache_seqlens, which specify the positions in the cache")
        new = k.shape[1]
        places = cache_seqlens.long().unsqueeze(1) + torch.arange(new, device=q.device)
        if rotary_cos is not None:
            first = cache_seqlens.long() if cache_leftpad is None else (cache_seqlens - cache_leftpad).long()
            moving = causal or window_size[0] >= 0 or window_size[1] >= 0
            steps = torch.arange(sq, device=q.device) * int(moving)
            q = _rotate(q, rotary_cos, rotary_sin, first.unsqueeze(1) + steps, rotary_interleaved)
            steps = torch.arange(new, device=q.device)
            k = _rotate(k, rotary_cos, rotary_sin, first.unsqueeze(1) + steps, rotary_interleaved)
        if block_table is not None:
            rows = k_cache.shape[1]
            where = (block_table.long().gather(1, places // rows), places % rows)
        elif cache_batch_idx is not None:
            where = (cache_batch_idx.long().unsqueeze(1), places)
        else:
            where = (torch.arange(b, device=q.device).unsqueeze(1), places)
        k_cache.index_put_(where, k.to(k_cache.dtype))
        v_cache.index_put_(where, v.to(v_cache.dtype))
    elif rotary_cos is not None:
        raise ValueError("rotary_cos requires k and v")
    if block_table is not None:
        k_cache, v_cache = (t[block_table.long()].flatten(1, 2) for t in (k_cache, v_cache))
    elif cache_batch_idx is not None:
        k_cache, v_cache = (t[cache_batch_idx.long()] for t in (k_cache, v_cache))
    ends = None if cache_seqlens is None else cache_seqlens.long() + new
    if known is not None:
        k_cache, v_cache, ends = k_cache[:, : known + new], v_cache[:, : known + new], None
    call = _make(
        q,
        k_cache,
        v_cache,
        softmax_scale,
        window_size,
        causal=causal,
        softcap=softcap,
        alibi_slopes=alibi_slopes,
        lse=return_softmax_lse,
        ends=ends,
        starts=None if cache_leftpad is None else cache_leftpad.long(),
    )
    out, lse, _ = _attend(call)
    return (out, lse) if return_softmax_lse else out


def _rotate(x, cos, sin, places, interleaved):
    """Rotates pairs of elements of x [B, S, H, D] by the table angles of the positions [B, S]."""
    cos, sin = (t[places].unsqueeze(2).float() for t in (cos, sin))
    n = cos.shape[-1]
    turned, rest = x[..., : 2 * n].float(), x[..., 2 * n :]
    if interleaved:
        a, b = turned[..., 0::2], turned[..., 1::2]
        turned = torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)
    else:
        a, b = turned[..., :n], turned[..., n:]
        turned = torch.cat((a * cos - b * sin, a * sin + b * cos), -1)
    return torch.cat((turned.to(x.dtype), rest), -1)


# ---- flash_attn.bert_padding ---------------------------------------------------------------------------------


def index_first_axis(input, indices):
    """Returns the rows of input at indices."""
    return input[indices]


def index_put_first_axis(values, indices, first_axis_dim):
    """Returns first_axis_dim rows of zeros, with values at indices."""
    out = values.new_zeros((first_axis_dim,) + values.shape[1:])
    return out.index_put((indices,), values)


def unpad_input(hidden_states, attention_mask, unused_mask=None):
    """Returns the rows of [B, S, ...] that the masks [B, S] select, their indices, cu_seqlens, the maximum length, and
    the lengths of attention_mask alone. flash-attn before 2.7 returned the first four: unpad_input_before_2_7."""
    named = attention_mask if unused_mask is None else attention_mask + unused_mask
    lengths = named.sum(-1, dtype=torch.int32)
    indices = torch.nonzero(named.flatten(), as_tuple=False).flatten()
    return (
        hidden_states.flatten(0, 1)[indices],
        indices,
        F.pad(torch.cumsum(lengths, 0, dtype=torch.int32), (1, 0)),
        lengths.max().item(),
        attention_mask.sum(-1, dtype=torch.int32),
    )


def unpad_input_before_2_7(hidden_states, attention_mask):
    """unpad_input of flash-attn before 2.7, with four results."""
    return unpad_input(hidden_states, attention_mask)[:4]


def pad_input(hidden_states, indices, batch, seqlen):
    """The inverse: [total, ...] to [B, S, ...], zeros elsewhere."""
    return index_put_first_axis(hidden_states, indices, batch * seqlen).unflatten(0, (batch, seqlen))


# ---- flash_attn.modules.mha ----------------------------------------------------------------------------------


class _Attention(torch.nn.Module):
    def __init__(
        self,
        causal=False,
        softmax_scale=None,
        attention_dropout=0.0,
        window_size=(-1, -1),
        alibi_slopes=None,
        deterministic=False,
    ):
        super().__init__()
        self.causal = causal
        self.softmax_scale = softmax_scale
        self.drop = torch.nn.Dropout(attention_dropout)
        self.register_buffer("alibi_slopes", alibi_slopes, persistent=False)
        self.window_size = window_size
        self.deterministic = deterministic

    def _options(self, causal):
        return {
            "dropout_p": self.drop.p if self.training else 0.0,
            "softmax_scale": self.softmax_scale,
            "causal": self.causal if causal is None else causal,
            "window_size": self.window_size,
            "alibi_slopes": self.alibi_slopes,
            "deterministic": self.deterministic,
        }


class FlashSelfAttention(_Attention):
    """Attention of qkv [B, S, 3, H, D], or of packed sequences [total, 3, H, D] with cu_seqlens."""

    def forward(self, qkv, causal=None, cu_seqlens=None, max_seqlen=None):
        options = self._options(causal)
        if cu_seqlens is None:
            return flash_attn_qkvpacked_func(qkv, **options)
        return flash_attn_varlen_qkvpacked_func(qkv, cu_seqlens, max_seqlen, **options)


class FlashCrossAttention(_Attention):
    """Attention of q [B, Sq, H, D] over kv [B, Sk, 2, Hk, D], or of packed sequences with cu_seqlens."""

    def forward(
        self, q, kv, causal=None, cu_seqlens=None, max_seqlen=None, cu_seqlens_k=None, max_seqlen_k=None
    ):
        options = self._options(causal)
        if cu_seqlens is None:
            return flash_attn_kvpacked_func(q, kv, **options)
        return flash_attn_varlen_kvpacked_func(
            q, kv, cu_seqlens, cu_seqlens_k, max_seqlen, max_seqlen_k, **options
        )
