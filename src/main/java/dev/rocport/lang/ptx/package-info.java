/**
 * PTX as a language: what an asm statement holds, the table of forms that {@code rules/ptx/} lists,
 * and the translation of whole blocks to HIP. It knows neither files nor tokens of C++.
 *
 * <p>The grammar and the meaning of instructions are those of NVIDIA's "Parallel Thread Execution
 * ISA"; that of the operands of an asm statement is "Inline PTX Assembly in CUDA"'s.
 */
@NullMarked
package dev.rocport.lang.ptx;

import org.jspecify.annotations.NullMarked;
