import cupy
import numba
from llvmlite import ir
from numba import cuda
from torch.utils.cpp_extension import load_inline

source = r'''
extern "C" __global__ void k(unsigned* p) {
  unsigned lane; // asm("mov.u32 %0, %%tid.y;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("st.global.release.sys.u32 [%0], %1;\n\t"
               "membar.sys;" :: "l"(p), "r"(lane) : "memory");
}
'''
kernel = cupy.RawKernel(source, "k")
module = cupy.RawModule(code='''
__device__ int f(int x) { int y; asm("brev.b32 %0, %1;" : "=r"(y) : "r"(x)); return y; }
''')
clock = cupy.ElementwiseKernel("", "int64 y", 'asm volatile("mov.u64 %0, %%clock64;" : "=l"(y));', "clock")
host = load_inline("h", cpp_sources='long f() { long t; asm volatile("rdtsc" : "=A"(t)); asm("" ::: "memory"); return t; }')

text = (
    ".version 7.0\n"
    ".target sm_70\n"
    ".visible .entry nothing()\n{ ret; }\n"
)


def laneid(context, builder):
    kind = ir.FunctionType(ir.IntType(32), [])
    first = ir.InlineAsm(kind, "mov.u32 $0, %laneid;", "=r", side_effect=True)
    builder.asm(kind, "activemask.b32 $0;", "=r", [], True)
    return builder.call(first, [])


double = cuda.declare_device("double_it", "int32(int32)")
piece = "ld.global.u32 %r1, [%rd1];"
note = "the asm volatile statement; ld.global is fast"
