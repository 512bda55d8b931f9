"""Kernels; asm volatile("mov.u32 %0, %%tid.x;") in a docstring is nothing."""
import triton
import triton.language as tl
from triton.language import inline_asm_elementwise

asm_count = 0  # tl.inline_asm_elementwise("mov.u32 $0, %tid.x;", ...)
MASK = "mov.u32 $0, %laneid;"


@triton.jit
def pack(a, b):
    return tl.inline_asm_elementwise(
        asm="cvt.rn.bf16x2.f32 $0, $1, $2;",
        constraints="=r,r,r",
        args=[a, b],
        dtype=tl.int32,
        is_pure=True,
        pack=1,
    )


@triton.jit
def spin(flags, value):
    tl.inline_asm_elementwise(
        """
        {
        .reg .u32   %tmp32_<1>;
        .reg .pred  %p<1>;
        wait:
            ld.global.acquire.sys.b32 %tmp32_0, [$1];
            setp.eq.u32 %p0, %tmp32_0, $2;
            @!%p0 bra wait;
        }
        mov.u32 $0, 0;
        """,
        "=r, l, r",
        [flags, value],
        dtype=tl.int32,
        is_pure=False,
        pack=1,
    )


@triton.jit
def lane(x):
    y = inline_asm_elementwise(MASK, "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)
    return y


@triton.jit
def amd(x, is_hip: tl.constexpr):
    if is_hip:
        return tl.inline_asm_elementwise("v_exp_f32 $0, $1", "=v,v", [x], tl.float32, True, 1)
    return tl.inline_asm_elementwise(f"ex2.approx.{'ftz.'}f32 $0, $1;", "=f,f", [x], tl.float32, True, 1)


@triton.jit
def unknown(x, text: tl.constexpr):
    return tl.inline_asm_elementwise(text, "=f,f", [x], tl.float32, True, 1)
