/** Finds accesses of the same bytes that nothing orders. */
@NullMarked
package dev.rocport.device.check.race;

import org.jspecify.annotations.NullMarked;
