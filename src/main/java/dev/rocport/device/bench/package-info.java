/** Measures how fast the device runs waves. */
@NullMarked
package dev.rocport.device.bench;

import org.jspecify.annotations.NullMarked;
