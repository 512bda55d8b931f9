/**
 * Follows unwritten values, bit by bit, through registers and memory to where they affect a result:
 * a branch, an address, a stored value.
 */
@NullMarked
package dev.rocport.device.check.uninit;

import org.jspecify.annotations.NullMarked;
