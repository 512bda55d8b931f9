/** Instructions that touch memory: scalar loads, flat, global, scratch, buffers and LDS. */
@NullMarked
package dev.rocport.device.op.memory;

import org.jspecify.annotations.NullMarked;
