/**
 * Follows values that nobody has written, bit by bit, through registers and memory, to where they
 * decide something: a branch, an address, what is stored.
 */
@NullMarked
package dev.rocport.device.check.uninit;

import org.jspecify.annotations.NullMarked;
