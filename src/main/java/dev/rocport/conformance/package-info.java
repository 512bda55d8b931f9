/** Runs AMD's own libraries and test programs on the device. */
@NullMarked
package dev.rocport.conformance;

import org.jspecify.annotations.NullMarked;
