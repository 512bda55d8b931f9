/**
 * The memory of the device: the arena that programs share, allocations and who may touch them, raw
 * accesses and their faults. Addresses are virtual addresses of this process.
 */
@NullMarked
package dev.rocport.device.memory;

import org.jspecify.annotations.NullMarked;
