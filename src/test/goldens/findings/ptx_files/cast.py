import triton
import triton.language as tl


@triton.jit
def pack(a, b):
    return tl.inline_asm_elementwise(  # want: PY-TRITON-ASM
        asm="cvt.rn.bf16x2.f32 $0, $1, $2;",  # want: PTX-PYTHON
        constraints="=r,r,r",
        args=[a, b],
        dtype=tl.int32,
        is_pure=True,
        pack=1,
    )
