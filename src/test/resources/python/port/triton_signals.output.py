# beside: ops/__init__.py
# beside: ops/signals.py
# path: ops/signals.py
import torch
import triton
import triton.language as tl
from . import layout
from ._rocm import is_rocm
from ._rocm_triton import is_rocm as is_rocm_kernel, rocm_atomic_spin_wait, rocm_atomic_write, rocm_get_tid

WAIT = tl.constexpr("""
{
    .reg .u32 %r<1>;
    .reg .pred %p<2>;
    setp.ne.u32 %p0, $3, 0;
    @!%p0 bra done;
wait:
    ld.global.sys.acquire.u32 %r0, [$1];
    setp.lt.u32 %p1, %r0, $2;
    @%p1 bra wait;
done:
}
mov.u32 $0, 0;
""")


@triton.jit
def get_tid():
    return (rocm_get_tid().to(tl.uint32, bitcast=True) if is_rocm_kernel else tl.inline_asm_elementwise("mov.u32 $0, %tid.x;", "=r", [], dtype=tl.uint32, is_pure=True, pack=1))


@triton.jit
def arrive(flags, value):
    (rocm_atomic_write(flags, value, sem="release", scope="system") if is_rocm_kernel else tl.inline_asm_elementwise(
        "st.global.sys.release.u32 [$1], $2;",
        "=r, l, r",
        [
            flags,  # one of each rank
            value,
        ],
        dtype=tl.int32,
        is_pure=False,
        pack=1,
    ))


@triton.autotune(configs=[], key=[])
@triton.jit(do_not_specialize=["round"])
def barrier(flags, round, mask, n: tl.constexpr):
    i = tl.arange(0, n)
    arrive(flags + i, round)
    done = (rocm_atomic_spin_wait(flags + i, round, mask, sem="acquire", scope="system", loop="lt") if is_rocm_kernel else tl.inline_asm_elementwise(WAIT, "=r,l,r,r", [flags + i, round, mask], tl.int32, False, 1))
    again = (rocm_atomic_spin_wait(flags, round, 1, sem="acquire", scope="system", loop="lt") if is_rocm_kernel else tl.inline_asm_elementwise(WAIT, "=r,l,r,r", [flags, round, 1], tl.int32, False, 1))
    swapped = (rocm_atomic_write(value=round + 1, flag=flags, sem="relaxed", scope="gpu") if is_rocm_kernel else tl.inline_asm_elementwise(
        asm="st.relaxed.gpu.global.u32 [$2], $1;", constraints="=r,r,l", args=(round + 1, flags), dtype=tl.int32, is_pure=False, pack=1
    ))
    return done + again + swapped


@triton.jit
def left(flags, value, n: tl.constexpr):
    # In turn: 64 bits, two at once, an argument that nothing reads, a store that acquires, arguments that are not seen.
    a = tl.inline_asm_elementwise("st.global.sys.release.u32 [$1], $2;", "=r,l,r", [flags, value], tl.int64, False, 1)
    b = tl.inline_asm_elementwise("st.global.sys.release.u32 [$1], $2;", "=r,l,r", [flags, value], tl.int32, False, 2)
    c = tl.inline_asm_elementwise("st.global.sys.release.u32 [$1], $2;", "=r,l,r,r", [flags, value, n], tl.int32, False, 1)
    d = tl.inline_asm_elementwise("st.global.sys.acquire.u32 [$1], $2;", "=r,l,r", [flags, value], tl.int32, False, 1)
    e = tl.inline_asm_elementwise("st.global.sys.release.u32 [$1], $2;", "=r,l,r", flags, tl.int32, False, 1)
    return a + b + c + d + e


def build(builder, flags, value):
    return tl.inline_asm_elementwise("st.global.sys.release.u32 [$1], $2;", "=r,l,r", [flags, value], tl.int32, False, 1, _builder=builder)


def run(model, mode):
    return torch.compile(model, mode=("default" if is_rocm else "max-autotune"))
