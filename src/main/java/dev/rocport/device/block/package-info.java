/**
 * Blocks: consecutive instructions that run as one method of the virtual machine.
 *
 * <p>A block knows no instruction. It runs the {@link dev.rocport.device.wave.Action}s of its
 * operations one after the other, and calls the operations that have none. Actions are constants of
 * its class, so that the virtual machine's compiler sees through them to the registers they work
 * on: what an instruction does stands in one place, with its operation.
 */
@NullMarked
package dev.rocport.device.block;

import org.jspecify.annotations.NullMarked;
