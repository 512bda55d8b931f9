/** Kernels that use memory which copies on other streams use at the same time. */
@NullMarked
package dev.rocport.device.check.copies;

import org.jspecify.annotations.NullMarked;
