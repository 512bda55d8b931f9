/** Finds kernels that access memory while a copy on another stream may access it. */
@NullMarked
package dev.rocport.device.check.copies;

import org.jspecify.annotations.NullMarked;
