/**
 * Delays memory accesses and keeps stale data as far as the memory model of the hardware allows.
 */
@NullMarked
package dev.rocport.device.check.order;

import org.jspecify.annotations.NullMarked;
