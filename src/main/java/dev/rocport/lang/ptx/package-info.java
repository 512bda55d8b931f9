/**
 * PTX as a language: the contents of an asm statement, the table of forms in {@code rules/ptx/},
 * and the translation of whole blocks to HIP. Independent of files and C++ tokens.
 *
 * <p>The grammar and the meaning of instructions are those of NVIDIA's "Parallel Thread Execution
 * ISA"; that of the operands of an asm statement is "Inline PTX Assembly in CUDA"'s.
 */
@NullMarked
package dev.rocport.lang.ptx;

import org.jspecify.annotations.NullMarked;
