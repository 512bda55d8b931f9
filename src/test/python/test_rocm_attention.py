import itertools
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import support

torch = support.real_torch

INF = float("inf")
LENGTHS = ((4, 4), (3, 6), (6, 3), (1, 5), (5, 1), (4, 0))
HEADS = ((2, 2), (4, 2), (3, 1))
WINDOWS = ((-1, -1), (1, -1), (-1, 2), (2, 1), (0, 0), (7, 9))


def visible(i, sq, sk, causal, window, widest=None):
    """The keys that row i sees, by flash-attn's description: places are counted from the last row and key; a
    window as wide as the keys, or the widest of packed sequences' keys, is none."""
    left, right = window
    right = 0 if causal else -1 if right >= (widest or sk) else right
    place = i + sk - sq
    return [j for j in range(sk) if (left < 0 or j >= place - left) and (right < 0 or j <= place + right)]


def reference(q, k, v, scale=None, causal=False, window=(-1, -1), softcap=0.0, alibi=None, widest=None):
    """Attention written down row by row; output [B, Sq, H, D] and logsumexp [B, H, Sq], in double precision."""
    q, k, v = (t.double() for t in (q, k, v))
    b, sq, h, d = q.shape
    sk, hk = k.shape[1:3]
    scale = 1 / math.sqrt(d) if scale is None else scale
    outs, lses = [], []
    for n, i, head in itertools.product(range(b), range(sq), range(h)):
        seen = visible(i, sq, sk, causal, window, widest)
        if not seen:
            outs.append(0 * q[n, i, head])
            lses.append(INF)
            continue
        other = head * hk // h
        scores = (k[n, seen, other] * q[n, i, head]).sum(-1) * scale
        if softcap:
            scores = softcap * torch.tanh(scores / softcap)
        if alibi is not None:
            slope = (alibi[n] if alibi.dim() == 2 else alibi)[head].double()
            away = torch.tensor([abs(i + sk - sq - j) for j in seen], dtype=torch.float64)
            scores = scores - slope * away
        weights = scores.exp()
        outs.append((weights.unsqueeze(1) * v[n, seen, other]).sum(0) / weights.sum())
        lses.append(math.log(weights.sum().item()))
    if not outs:
        return q, q.new_zeros(b, h, 0)
    return torch.stack(outs).view(b, sq, h, d), torch.tensor(lses).view(b, sq, h).transpose(1, 2)


def cases():
    """All options crossed; a sample of them where ROCPORT_TESTS is not "all"."""
    crossed = list(
        itertools.product(LENGTHS, HEADS, (False, True), WINDOWS, (0.0, 1.5), (0, 1, 2), (None, 0.3))
    )
    return crossed if os.environ.get("ROCPORT_TESTS") == "all" else random.Random(6).sample(crossed, 150)


def tensors(lengths, heads, d=4, b=2, dtype=None, seed=0):
    generator = torch.Generator().manual_seed(seed)
    (sq, sk), (h, hk) = lengths, heads
    shapes = ((b, sq, h, d), (b, sk, hk, d), (b, sk, hk, d))
    return [torch.randn(s, generator=generator, dtype=torch.float64).to(dtype or torch.float64) for s in shapes]


def slopes(kind, b, h):
    return None if not kind else torch.rand((h,) if kind == 1 else (b, h), generator=torch.Generator().manual_seed(3))


def load(only=None, rocm=False, **modules):
    with support.environment(ROCPORT_ATTENTION=only, ROCPORT_KEEP_COMPILE="1"), support.modules(**modules):
        if rocm:
            with support.as_rocm():
                return support.load("_rocm_attention")
        return support.load("_rocm_attention")


@unittest.skipIf(torch is None, "needs torch")
class AttentionTest(unittest.TestCase):
    def close(self, expected, actual, tolerance=1e-9, message=None):
        self.assertEqual(tuple(expected.shape), tuple(actual.shape), message)
        expected, actual = expected.double(), actual.double()
        same = (expected == actual) | ((expected - actual).abs() <= tolerance * (1 + expected.abs()))
        self.assertTrue(same.all(), same.numel() and "%s: off by %s" % (message, (expected - actual).abs().max()))


class Reference(AttentionTest):
    """Each tier alone against the attention written down row by row."""

    def check(self, tier):
        attention = load(tier)
        for case in cases():
            lengths, heads, causal, window, softcap, kind, scale = case
            if tier == "sdpa" and softcap:
                continue
            q, k, v = tensors(lengths, heads)
            for t in (q, k, v):
                t.requires_grad_()
            alibi = slopes(kind, 2, heads[0])
            expected, expected_lse = reference(q, k, v, scale, causal, window, softcap, alibi)
            out, lse, dropped = attention.flash_attn_func(
                q,
                k,
                v,
                softmax_scale=scale,
                causal=causal,
                window_size=window,
                softcap=softcap,
                alibi_slopes=alibi,
                return_attn_probs=True,
            )
            self.close(expected, out, message=case)
            self.assertEqual(torch.float32, lse.dtype)
            self.assertEqual((2, heads[0], lengths[0]), tuple(lse.shape))
            self.close(expected_lse, lse, 1e-6, case)
            self.assertFalse(lse.requires_grad)
            self.assertEqual(0, dropped.numel())
            self.assertTrue(out.is_contiguous())
            weights = torch.randn(out.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
            wanted = torch.autograd.grad((expected * weights).sum(), (q, k, v), allow_unused=True)
            got = torch.autograd.grad((out * weights).sum(), (q, k, v), allow_unused=True)
            for t, a, b in zip((q, k, v), wanted, got):
                zero = torch.zeros_like(t)
                self.close(zero if a is None else a, zero if b is None else b, message=case)

    def test_sdpa(self):
        self.check("sdpa")

    def test_eager(self):
        self.check("eager")

    def test_other_precisions(self):
        q, k, v = tensors((33, 65), (4, 2), d=16, dtype=torch.float32)
        for dtype, tolerance in ((torch.float32, 2e-6), (torch.bfloat16, 2e-2), (torch.float16, 3e-3)):
            a, b, c = (t.to(dtype) for t in (q, k, v))
            expected, expected_lse = reference(a, b, c, causal=True, window=(40, 0))
            for tier in ("sdpa", "eager"):
                out, lse, _ = load(tier).flash_attn_func(
                    a, b, c, causal=True, window_size=(40, 0), return_attn_probs=True
                )
                self.assertEqual(dtype, out.dtype)
                self.close(expected, out, tolerance, (dtype, tier))
                self.close(expected_lse, lse, 2e-6, (dtype, tier))

    def test_logsumexp_in_several_parts(self):
        attention = load("sdpa")
        q, k, v = tensors((7, 9), (4, 2))
        _, expected = reference(q, k, v, causal=True)
        with mock.patch.object(attention, "_SCORES", 2 * 4 * 9 * 3):
            _, lse, _ = attention.flash_attn_func(q, k, v, causal=True, return_attn_probs=True)
        self.close(expected, lse, 1e-6)


class Tiers(AttentionTest):
    def test_the_next_does_what_one_cannot(self):
        attention = load()
        q, k, v = tensors((4, 4), (2, 2))
        with mock.patch.object(attention.F, "scaled_dot_product_attention") as sdpa:
            attention.flash_attn_func(q, k, v, softcap=2.0)
            attention.flash_attn_func(q, k, v, dropout_p=0.5, return_attn_probs=True)
            half = [t.bfloat16() for t in (q, k, v)]
            attention.flash_attn_func(*half, alibi_slopes=torch.ones(2))
            sdpa.assert_not_called()
            sdpa.return_value = q.transpose(1, 2)
            attention.flash_attn_func(q, k, v)
            sdpa.assert_called_once()

    def test_one_alone_says_what_it_cannot(self):
        q, k, v = tensors((4, 4), (2, 2))
        with self.assertRaisesRegex(NotImplementedError, "softcap"):
            load("sdpa").flash_attn_func(q, k, v, softcap=2.0)
        with self.assertRaisesRegex(NotImplementedError, "aiter is for ROCm"):
            load("aiter").flash_attn_func(q, k, v)
        with self.assertRaisesRegex(NotImplementedError, r"cannot be imported \(ModuleNotFoundError: .*aiter"):
            load("aiter", rocm=True, aiter=None).flash_attn_func(q, k, v)
        with self.assertRaisesRegex(ValueError, "fast"):
            load("fast")

    def test_what_none_can(self):
        q = torch.randn(4, 2, 8)
        ends = torch.tensor([0, 4], dtype=torch.int32)
        with self.assertRaisesRegex(NotImplementedError, "aiter is for ROCm; .*pattern; eager .*packed"):
            load().flash_attn_varlen_func(q, q, q, ends, ends, 4, 4, dropout_p=0.1, return_attn_probs=True)

    def test_heads_that_do_not_divide(self):
        q, k, v = tensors((4, 4), (3, 2))
        with self.assertRaises(ValueError):
            load().flash_attn_func(q, k, v)

    def test_grouped_heads_are_not_copied_where_the_kernels_know_them(self):
        q, k, v = tensors((4, 4), (4, 2), dtype=torch.bfloat16)
        attention = load("sdpa")
        real = attention.F.scaled_dot_product_attention
        with mock.patch.object(attention.F, "scaled_dot_product_attention", wraps=real) as sdpa:
            expected, _ = reference(q, k, v, causal=True)
            self.close(expected, attention.flash_attn_func(q, k, v, causal=True), 2e-2)
            self.assertEqual(2, sdpa.call_args[0][1].shape[1])
            self.assertTrue(sdpa.call_args[1]["is_causal"])
            attention.flash_attn_func(q, k, v, window_size=(1, 1))
            self.assertEqual(4, sdpa.call_args[0][1].shape[1])


    def test_no_kernel_sees_a_row_without_keys(self):
        q, k, v = tensors((6, 3), (2, 2))
        attention = load("sdpa")
        real = attention.F.scaled_dot_product_attention
        with mock.patch.object(attention.F, "scaled_dot_product_attention", wraps=real) as sdpa:
            attention.flash_attn_func(q, k, v, causal=True)
            attention.flash_attn_func(q, k, v, causal=True, alibi_slopes=torch.ones(2))
            (plain, biased) = (call[1]["attn_mask"] for call in sdpa.call_args_list)
        self.assertTrue(plain.any(-1).all())
        self.assertFalse(plain.all())
        self.assertTrue((biased > -INF).any(-1).all())
        self.assertFalse((biased > -INF).all())


class Dropout(AttentionTest):
    def test_eager_gives_its_pattern(self):
        q, k, v = tensors((16, 16), (4, 2))
        p = 0.25
        out, _, dropped = load("eager").flash_attn_func(q, k, v, dropout_p=p, causal=True, return_attn_probs=True)
        self.assertEqual((2, 4, 16, 16), tuple(dropped.shape))
        kept = dropped.clamp(min=0) / (1 - p)
        self.close(torch.einsum("bhij,bjhd->bihd", kept, v.repeat_interleave(2, 2)), out)
        full, _ = reference(q, k, v, causal=True)
        self.close(full, torch.einsum("bhij,bjhd->bihd", dropped.abs(), v.repeat_interleave(2, 2)))
        share = (dropped < 0).double().sum() / (dropped != 0).double().sum()
        self.assertTrue(0.15 < share < 0.35, share)

    def test_sdpa_scales_what_is_kept(self):
        q, k, _ = tensors((8, 8), (2, 2))
        v = torch.eye(8, dtype=torch.float64).view(1, 8, 1, 8).expand(2, 8, 2, 8)
        q, k = (torch.nn.functional.pad(t, (0, 4)) for t in (q, k))
        whole = load("sdpa").flash_attn_func(q, k, v)
        some = load("sdpa").flash_attn_func(q, k, v, dropout_p=0.5)
        kept = some != 0
        self.assertTrue(0.3 < kept.double().mean() < 0.7)
        self.close(2 * whole[kept], some[kept])

    def test_all_dropped(self):
        q, k, v = tensors((4, 4), (2, 2))
        self.assertEqual(0, load("eager").flash_attn_func(q, k, v, dropout_p=1.0).abs().max())


class Packed(AttentionTest):
    def sequences(self, lengths, heads=(4, 2)):
        return [tensors(n, heads, b=1, seed=i) for i, n in enumerate(lengths)]

    def pack(self, sequences):
        q, k, v = (torch.cat([s[i][0] for s in sequences]) for i in range(3))
        ends = [
            torch.tensor([0] + list(itertools.accumulate(s[i].shape[1] for s in sequences)), dtype=torch.int32)
            for i in (0, 1)
        ]
        longest = [max(s[i].shape[1] for s in sequences) for i in (0, 1)]
        return q, k, v, ends[0], ends[1], longest[0], longest[1]

    def test_each_sequence_is_by_itself(self):
        for lengths in (((3, 5), (6, 2), (1, 4)), ((4, 6), (4, 6)), ((2, 3), (0, 4), (3, 0)), ((5, 5),)):
            sequences = self.sequences(lengths)
            packed = self.pack(sequences)
            for tier, causal, kind in itertools.product(("sdpa", "eager"), (False, True), (0, 1, 2)):
                alibi = slopes(kind, len(lengths), 4)
                out, lse, _ = load(tier).flash_attn_varlen_func(
                    *packed, causal=causal, window_size=(2, 1), alibi_slopes=alibi, return_attn_probs=True
                )
                for i, (q, k, v) in enumerate(sequences):
                    rows = slice(packed[3][i], packed[3][i + 1])
                    one = alibi[i] if kind == 2 else alibi
                    expected, expected_lse = reference(
                        q, k, v, causal=causal, window=(2, 1), alibi=one, widest=packed[6]
                    )
                    self.close(expected[0], out[rows], message=(lengths, tier, i))
                    self.close(expected_lse[0], lse[:, rows], 1e-6)

    def test_gradients(self):
        for lengths in (((3, 5), (6, 2)), ((4, 4), (4, 4))):
            sequences = self.sequences(lengths)
            q, k, v, *rest = self.pack(sequences)
            for tier in ("sdpa", "eager"):
                for t in (q, k, v):
                    t.requires_grad_()
                out = load(tier).flash_attn_varlen_func(q, k, v, *rest, causal=True)
                got = torch.autograd.grad((out * out).sum(), (q, k, v))
                for s in sequences:
                    for t in s:
                        t.requires_grad_()
                wanted = [
                    torch.autograd.grad((reference(*s, causal=True)[0] ** 2).sum(), s) for s in sequences
                ]
                for i in range(3):
                    self.close(torch.cat([w[i][0] for w in wanted]), got[i])

    def test_rows_after_the_last_sequence(self):
        q, k, v, *rest = self.pack(self.sequences(((3, 3), (2, 2))))
        longer = torch.cat((q, q[:2]))
        for tier in ("sdpa", "eager"):
            out, lse, _ = load(tier).flash_attn_varlen_func(longer, k, v, *rest, return_attn_probs=True)
            self.close(load(tier).flash_attn_varlen_func(q, k, v, *rest), out[:5])
            self.assertEqual(0, out[5:].abs().max())
            self.assertEqual((4, 7), tuple(lse.shape))

    def test_pages(self):
        sequences = self.sequences(((3, 5), (2, 7)))
        q, k, v, *rest = self.pack(sequences)
        pages = torch.full((5, 4, 2, 4), float("nan"), dtype=torch.float64)
        values = pages.clone()
        table = torch.tensor([[3, 0], [1, 4]], dtype=torch.int32)
        for i, (_, keys, vals) in enumerate(sequences):
            for j in range(keys.shape[1]):
                pages[table[i, j // 4], j % 4] = keys[0, j]
                values[table[i, j // 4], j % 4] = vals[0, j]
        for tier in ("sdpa", "eager"):
            plain = load(tier).flash_attn_varlen_func(q, k, v, *rest, causal=True)
            paged = load(tier).flash_attn_varlen_func(q, pages, values, *rest, causal=True, block_table=table)
            self.close(plain, paged)

    def test_packed_tensors(self):
        attention = load()
        q, k, v = tensors((5, 5), (2, 2))
        qkv, kv = torch.stack((q, k, v), 2), torch.stack((k, v), 2)
        expected = attention.flash_attn_func(q, k, v, 0.0, 0.7, True)
        self.close(expected, attention.flash_attn_qkvpacked_func(qkv, 0.0, 0.7, True))
        self.close(expected, attention.flash_attn_kvpacked_func(q, kv, softmax_scale=0.7, causal=True))
        ends = torch.tensor([0, 5, 10], dtype=torch.int32)
        flat, flat_kv = qkv.flatten(0, 1), kv.flatten(0, 1)
        expected = expected.flatten(0, 1)
        self.close(expected, attention.flash_attn_varlen_qkvpacked_func(flat, ends, 5, 0.0, 0.7, causal=True))
        self.close(
            expected,
            attention.flash_attn_varlen_kvpacked_func(q.flatten(0, 1), flat_kv, ends, ends, 5, 5, 0.0, 0.7, True),
        )
        self.close(expected.view(2, 5, 2, 4), attention.FlashSelfAttention(True, 0.7, 0.9).eval()(qkv))
        self.close(expected, attention.FlashSelfAttention(softmax_scale=0.7)(flat, True, ends, 5))
        self.close(expected.view(2, 5, 2, 4), attention.FlashCrossAttention(True, 0.7)(q, kv))
        cross = attention.FlashCrossAttention(True, 0.7)
        self.close(expected, cross(q.flatten(0, 1), flat_kv, None, ends, 5, ends, 5))
        self.assertEqual([], list(attention.FlashSelfAttention(alibi_slopes=torch.ones(2)).state_dict()))


class Cache(AttentionTest):
    def test_lengths(self):
        q, k, v = tensors((2, 8), (4, 2))
        for tier, causal, window in itertools.product(("sdpa", "eager"), (False, True), ((-1, -1), (2, 0))):
            attention = load(tier)
            for lengths in (5, [3, 8], [0, 1], None):
                given = torch.tensor(lengths, dtype=torch.int32) if isinstance(lengths, list) else lengths
                out, lse = attention.flash_attn_with_kvcache(
                    q, k, v, cache_seqlens=given, causal=causal, window_size=window, return_softmax_lse=True
                )
                for i in range(2):
                    n = 8 if lengths is None else lengths if isinstance(lengths, int) else lengths[i]
                    expected, expected_lse = reference(
                        q[i : i + 1], k[i : i + 1, :n], v[i : i + 1, :n], causal=causal, window=window
                    )
                    self.close(expected[0], out[i], message=(tier, causal, window, lengths))
                    self.close(expected_lse[0], lse[i], 1e-6)

    def test_new_keys_are_written_and_turned(self):
        kinds = ((False, (-1, -1)), (True, (-1, -1)), (False, (20, 0)))
        for interleaved, (causal, window), pages, starts in itertools.product(
            (False, True), kinds, (False, True), ((0, 0), (1, 4))
        ):
            q, cache_k, cache_v = tensors((2, 12), (4, 2), d=8)
            _, k, v = tensors((2, 2), (4, 2), d=8, seed=9)
            lengths = torch.tensor([3, 10], dtype=torch.int32)
            angles = torch.arange(12.0, dtype=torch.float64).unsqueeze(1) * torch.tensor([1.0, 0.1, 0.02])
            cos, sin = angles.cos(), angles.sin()

            def turn(row, place):
                row = row.clone()
                for pair in range(3):
                    a, b = (2 * pair, 2 * pair + 1) if interleaved else (pair, pair + 3)
                    c, s = math.cos(angles[place, pair]), math.sin(angles[place, pair])
                    row[..., a], row[..., b] = row[..., a] * c - row[..., b] * s, row[..., a] * s + row[..., b] * c
                return row

            options = {"cache_leftpad": torch.tensor(starts, dtype=torch.int32)} if any(starts) else {}
            given_k, given_v = cache_k.clone(), cache_v.clone()
            if pages:
                table = torch.tensor([[5, 0, 2], [1, 3, 4]], dtype=torch.int32)
                options["block_table"] = table
                order = torch.argsort(table.flatten())
                given_k, given_v = (t.reshape(6, 4, 2, 8)[order].clone() for t in (cache_k, cache_v))
            expected = []
            for i in range(2):
                n, start = int(lengths[i]), starts[i]
                keys, values = cache_k[i].clone(), cache_v[i].clone()
                rows = q[i].clone()
                moves = causal or window != (-1, -1)
                for t in range(2):
                    keys[n + t], values[n + t] = turn(k[i, t], n + t - start), v[i, t]
                    rows[t] = turn(q[i, t], (n + t if moves else n) - start)
                seen = slice(start, n + 2)
                out, _ = reference(rows[None], keys[None, seen], values[None, seen], causal=causal, window=window)
                expected.append(out)
                cache_k[i], cache_v[i] = keys, values
            out = load().flash_attn_with_kvcache(
                q,
                given_k,
                given_v,
                k,
                v,
                cos,
                sin,
                lengths,
                causal=causal,
                window_size=window,
                rotary_interleaved=interleaved,
                **options
            )
            self.close(torch.cat(expected), out, 1e-6)
            if pages:
                given_k, given_v = (t[table.long()].flatten(1, 2) for t in (given_k, given_v))
            self.close(cache_k, given_k, 1e-6)
            self.close(cache_v, given_v)

    def test_rows_of_the_cache_and_keys_left_out(self):
        q, k, v = tensors((1, 8), (2, 2))
        k, v = torch.cat((k, k + 1)), torch.cat((v, v + 1))
        rows, starts = torch.tensor([3, 0]), torch.tensor([2, 0], dtype=torch.int32)
        lengths = torch.tensor([6, 4], dtype=torch.int32)
        out = load().flash_attn_with_kvcache(
            q, k, v, cache_seqlens=lengths, cache_batch_idx=rows, cache_leftpad=starts, causal=True
        )
        for i in range(2):
            part = slice(starts[i], lengths[i])
            expected, _ = reference(q[i : i + 1], k[rows[i], part][None], v[rows[i], part][None], causal=True)
            self.close(expected[0], out[i])

    def test_what_is_missing(self):
        q, k, v = tensors((1, 8), (2, 2))
        with self.assertRaisesRegex(ValueError, "cache_seqlens"):
            load().flash_attn_with_kvcache(q, k, v, k=k[:, :1], v=v[:, :1])
        with self.assertRaisesRegex(ValueError, "rotary_cos"):
            load().flash_attn_with_kvcache(q, k, v, rotary_cos=q, rotary_sin=q, cache_seqlens=3)


class Padding(AttentionTest):
    def test_there_and_back(self):
        attention = load()
        hidden = torch.randn(3, 5, 2, 4, requires_grad=True)
        mask = torch.tensor([[1, 1, 0, 0, 0], [0, 1, 1, 1, 1], [1, 0, 0, 0, 0]])
        rows, indices, ends, longest, used = attention.unpad_input(hidden, mask)
        self.assertEqual([0, 1, 6, 7, 8, 9, 10], indices.tolist())
        self.assertEqual(([0, 2, 6, 7], torch.int32), (ends.tolist(), ends.dtype))
        self.assertEqual((4, [2, 4, 1]), (longest, used.tolist()))
        self.close(hidden[mask.bool()], rows)
        self.close(hidden * mask[..., None, None], attention.pad_input(rows, indices, 3, 5))
        self.close(hidden.flatten(0, 1)[:2], attention.index_first_axis(hidden.flatten(0, 1), torch.tensor([0, 1])))
        self.assertEqual(4, len(attention.unpad_input_before_2_7(hidden, mask)))
        rows.sum().backward()
        self.close(mask[..., None, None].expand(3, 5, 2, 4), hidden.grad)

    def test_places_that_are_kept_but_not_used(self):
        mask = torch.tensor([[1, 0, 0], [1, 1, 0]])
        unused = torch.tensor([[0, 1, 0], [0, 0, 0]])
        _, indices, ends, longest, used = load().unpad_input(torch.randn(2, 3, 4), mask, unused)
        self.assertEqual([0, 1, 3, 4], indices.tolist())
        self.assertEqual(([0, 2, 4], 2, [1, 2]), (ends.tolist(), longest, used.tolist()))


DENSE = (
    "mha_fwd(Tensor q, Tensor k, Tensor v, float dropout_p, float softmax_scale, bool is_causal,"
    " int window_size_left, int window_size_right,%s bool return_softmax_lse, bool return_dropout_randval,"
    "%s Tensor? out=None, Tensor? bias=None, Tensor? alibi_slopes=None) -> (Tensor, Tensor, Tensor, Tensor)"
)
PACKED = (
    "mha_varlen_fwd(Tensor q, Tensor k, Tensor v, Tensor cu_seqlens_q, Tensor? cu_seqlens_k, int max_seqlen_q,"
    " int max_seqlen_k,%s float dropout_p, float softmax_scale,%s bool zero_tensors, bool is_causal,"
    " int window_size_left, int window_size_right,%s bool return_softmax_lse, bool return_dropout_randval,"
    " Tensor? out=None, Tensor? block_table=None, Tensor? alibi_slopes=None) -> (Tensor, Tensor, Tensor, Tensor)"
)
OLD = (DENSE % ("", ""), PACKED % ("", "", ""))
NEW = (
    DENSE % (" int sink_size,", " Tensor? cu_seqlens_q=None, Tensor? cu_seqlens_kv=None,"),
    PACKED % (" int min_seqlen_q,", " float logits_soft_cap,", " int sink_size,"),
)


class Aiter(AttentionTest):
    """The calls that reach aiter, by a stand-in with the schemas of its older and its newer builds."""

    def aiter(self, schemas=(), **functions):
        self.calls = []
        if schemas:
            library = torch.library.Library("aiter", "DEF")
            self.addCleanup(library._destroy)
            for schema in schemas:
                name = schema.split("(")[0]
                names = [a.split("=")[0].split()[-1] for a in schema[len(name) + 1 : schema.index(")")].split(", ")]
                library.define(schema)
                library.impl(name, self.operator(name, names), "CPU")
        module = types.ModuleType("aiter")
        vars(module).update(functions)
        attention = load("aiter", rocm=True, aiter=module)
        patch = mock.patch.object(attention, "_on_aiter_gpu", lambda tensor: True)
        patch.start()
        self.addCleanup(patch.stop)
        return attention

    def operator(self, name, names):
        def run(*args):
            given = dict(zip(names, args))
            self.calls.append((name, given))
            q = given["q"]
            if q.dim() == 3:
                lse = torch.full((q.shape[1], q.shape[0]), -INF)
                return q.clone(), lse, torch.empty(0), torch.empty(0)
            out, lse = reference(
                q,
                given["k"],
                given["v"],
                given["softmax_scale"],
                given["is_causal"],
                (given["window_size_left"], given["window_size_right"]),
                alibi=given.get("alibi_slopes"),
            )
            lse = torch.where(lse == INF, -lse, lse).float()  # as Composable Kernel has it
            lse = lse if given["return_softmax_lse"] else lse.new_empty(0)
            return out.to(q.dtype), lse, q.new_empty(0), q.new_empty(0)

        return run

    def test_both_schemas(self):
        for schemas in (OLD, NEW):
            attention = self.aiter(schemas)
            q, k, v = tensors((5, 3), (4, 2), d=12, dtype=torch.bfloat16)
            out, lse, _ = attention.flash_attn_func(
                q, k, v, causal=True, window_size=(2, 0), alibi_slopes=torch.ones(4), return_attn_probs=True
            )
            name, given = self.calls.pop()
            self.assertEqual("mha_fwd", name)
            self.assertEqual((2, 5, 4, 16), tuple(given["q"].shape))
            self.assertEqual((2, 3, 2, 16), tuple(given["k"].shape))
            self.assertAlmostEqual(12**-0.5, given["softmax_scale"])
            self.assertEqual((True, 2, 0), (given["is_causal"], given["window_size_left"], given["window_size_right"]))
            self.assertEqual(("sink_size" in schemas[0], 0), ("sink_size" in given, given.get("sink_size", 0)))
            plain = ("dropout_p", "return_softmax_lse", "return_dropout_randval")
            self.assertEqual((0.0, True, False), tuple(given[n] for n in plain))
            expected, expected_lse = reference(q, k, v, causal=True, window=(2, 0), alibi=torch.ones(4))
            self.close(expected, out, 2e-2)
            self.close(expected_lse, lse, 1e-6)
            self.assertIsNot(None, attention.flash_attn_func(q, k, v))
            self.assertFalse(self.calls.pop()[1]["return_softmax_lse"])
            self.doCleanups()

    def test_packed_in_both_schemas(self):
        ends = torch.tensor([0, 2, 5], dtype=torch.int32)
        for schemas in (OLD, NEW):
            attention = self.aiter(schemas)
            q = torch.randn(5, 2, 8, dtype=torch.float16)
            out, lse, _ = attention.flash_attn_varlen_func(
                q, q, q, ends, ends, 3, 3, softmax_scale=0.5, window_size=(1, 1), return_attn_probs=True
            )
            name, given = self.calls.pop()
            self.assertEqual("mha_varlen_fwd", name)
            plain = ("max_seqlen_q", "max_seqlen_k", "softmax_scale", "zero_tensors")
            self.assertEqual((3, 3, 0.5, False), tuple(given[n] for n in plain))
            self.close(ends, given["cu_seqlens_q"])
            self.close(ends, given["cu_seqlens_k"])
            self.close(q, out)
            self.assertTrue((lse == INF).all())
            if schemas is NEW:
                attention.flash_attn_varlen_func(q, q, q, ends, ends, 3, 3, softcap=2.5)
                given = self.calls.pop()[1]
                self.assertEqual(
                    (2.5, 0, 0), tuple(given[n] for n in ("logits_soft_cap", "min_seqlen_q", "sink_size"))
                )
            else:
                with self.assertRaisesRegex(NotImplementedError, "logits_soft_cap"):
                    attention.flash_attn_varlen_func(q, q, q, ends, ends, 3, 3, softcap=2.5)
            self.doCleanups()

    def test_what_aiter_cannot(self):
        attention = self.aiter(OLD)
        q, k, v = tensors((4, 4), (2, 2), dtype=torch.float16)
        for reason, options in (
            ("logits_soft_cap", {"softcap": 1.0}),
            ("pattern", {"dropout_p": 0.1, "return_attn_probs": True}),
        ):
            with self.assertRaisesRegex(NotImplementedError, reason):
                attention.flash_attn_func(q, k, v, **options)
        with self.assertRaisesRegex(NotImplementedError, "float16"):
            attention.flash_attn_func(q.float(), k.float(), v.float())
        with self.assertRaisesRegex(NotImplementedError, "256"):
            attention.flash_attn_func(*[torch.zeros(1, 2, 2, 264, dtype=torch.float16)] * 3)
        with self.assertRaisesRegex(NotImplementedError, "cache"):
            attention.flash_attn_with_kvcache(q, k, v, cache_seqlens=torch.tensor([1, 2]))
        self.assertEqual([], self.calls)

    def test_arguments_nobody_knows(self):
        attention = self.aiter([DENSE % (" int moon_phase,", "")])
        q, k, v = tensors((4, 4), (2, 2), dtype=torch.float16)
        with self.assertRaisesRegex(NotImplementedError, "asks for moon_phase"):
            attention.flash_attn_func(q, k, v)
        self.doCleanups()
        with self.assertRaisesRegex(NotImplementedError, "no operator"):
            self.aiter().flash_attn_func(q, k, v)

    def test_gradients_go_through_the_function(self):
        calls = []

        def called(q, window_size, softmax_scale, causal, deterministic, return_lse):
            calls.append((window_size, softmax_scale, causal, deterministic, return_lse))
            return q * 2, torch.zeros(q.shape[0], q.shape[2], q.shape[1])

        def older(
            q,
            k,
            v,
            dropout_p=0.0,
            softmax_scale=None,
            causal=False,
            window_size=(-1, -1),
            alibi_slopes=None,
            deterministic=True,
            return_lse=False,
            return_attn_probs=False,
        ):
            return called(q, window_size, softmax_scale, causal, deterministic, return_lse)

        def newer(
            q,
            k,
            v,
            dropout_p=0.0,
            softmax_scale=None,
            causal=False,
            window_size=(-1, -1, 0),
            bias=None,
            alibi_slopes=None,
            deterministic=True,
            return_lse=False,
            return_attn_probs=False,
            how_v3_bf16_cvt=1,
        ):
            return called(q, window_size, softmax_scale, causal, deterministic, return_lse)

        for function, window in ((older, (3, -1)), (newer, (3, -1, 0))):
            attention = self.aiter(NEW, flash_attn_func=function)
            q, k, v = tensors((4, 4), (2, 2), dtype=torch.bfloat16)
            q.requires_grad_()
            out = attention.flash_attn_func(q, k, v, softmax_scale=0.25, causal=True, window_size=(3, -1))
            out.sum().backward()
            self.assertEqual((window, 0.25, True, False, True), calls.pop())
            self.close(torch.full_like(q, 2.0), q.grad)
            self.assertEqual([], self.calls)
            with torch.no_grad():
                attention.flash_attn_func(q, k, v)
            self.assertEqual("mha_fwd", self.calls.pop()[0])
            self.doCleanups()
        attention = self.aiter(NEW)
        with self.assertRaisesRegex(NotImplementedError, "backward"):
            attention.flash_attn_func(q, k, v)

    def test_is_not_imported_off_rocm(self):
        module = types.ModuleType("aiter")
        self.assertIsNone(load(aiter=module)._aiter_module)
        self.assertIsNone(load("sdpa", rocm=True, aiter=module)._aiter_module)
        self.assertIs(module, load(rocm=True, aiter=module)._aiter_module)

    def test_is_for_some_gpus(self):
        attention = load(rocm=True, aiter=types.ModuleType("aiter"))
        gpu = types.SimpleNamespace(is_cuda=True, device="cuda:0")
        for arch, wanted in (("gfx942", True), ("gfx950", True), ("gfx90a", False), ("gfx1100", False), ("", False)):
            attention._archs.clear()
            with mock.patch.object(attention, "gcn_arch", lambda device: arch):
                self.assertEqual(wanted, attention._on_aiter_gpu(gpu))
        self.assertFalse(attention._on_aiter_gpu(torch.zeros(1)))


class Compiled(AttentionTest):
    def test_in_one_graph(self):
        for only in (None, "eager"):
            attention = load(only)
            q, k, v = tensors((4, 6), (4, 2))
            stack = support.contextlib.ExitStack()
            self.addCleanup(stack.close)
            stack.enter_context(mock.patch.dict(sys.modules, {"_rocm_attention": attention}))
            compiled = torch.compile(
                lambda *t: attention.flash_attn_func(*t, causal=True), backend="eager", fullgraph=True
            )
            self.close(attention.flash_attn_func(q, k, v, causal=True), compiled(q, k, v))


class InAPackage(AttentionTest):
    def test_finds_its_sibling(self):
        with tempfile.TemporaryDirectory() as folder:
            package = os.path.join(folder, "model")
            os.mkdir(package)
            open(os.path.join(package, "__init__.py"), "w").close()
            for name in ("_rocm.py", "_rocm_attention.py"):
                shutil.copy(os.path.join(support.MODULES, name), package)
            script = "import model._rocm_attention as a, sys; print(a.gcn_arch.__module__, '_rocm' in sys.modules)"
            done = subprocess.run(
                [sys.executable, "-B", "-c", script], cwd=folder, stdout=subprocess.PIPE, universal_newlines=True
            )
            self.assertEqual("model._rocm False", done.stdout.strip())


if __name__ == "__main__":
    unittest.main()
