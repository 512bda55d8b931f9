/**
 * The vector ALU: an operation for every VOP1, VOP2, VOPC, VOP3 and VOP3P instruction except matrix
 * instructions.
 *
 * <p>A {@link dev.rocport.device.op.vector.Definition} says what an opcode does to one lane. A
 * {@link dev.rocport.device.op.vector.Kernel} does it to 64. The same definition runs in three
 * ways, each faster and dearer to start than the one before: a loop that all opcodes share, a copy
 * of that loop for one opcode, and a loop over vectors of the CPU.
 */
@NullMarked
package dev.rocport.device.op.vector;

import org.jspecify.annotations.NullMarked;
