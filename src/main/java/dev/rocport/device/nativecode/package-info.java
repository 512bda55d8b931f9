/**
 * The native engine: kernels as LLVM IR, compiled for the host by the toolchain's clang in a
 * separate process.
 *
 * <p>A {@link dev.rocport.device.nativecode.Region} is what branches reach from an instruction. It
 * becomes one function that works on the registers of a wave until it must stop: at an instruction
 * that it does not know, at an access that may be a fault, or when the budget is spent. It stops
 * before that instruction with all registers written back, so that the interpreter goes on there.
 *
 * <p>Consecutive instructions that work lane by lane are a {@link
 * dev.rocport.device.nativecode.Run}: a loop over chunks of as many lanes as a vector of the host
 * has, in which values stay in registers.
 */
@NullMarked
package dev.rocport.device.nativecode;

import org.jspecify.annotations.NullMarked;
