/** A wave's registers, the operations it can run, and the loop that runs them. */
@NullMarked
package dev.rocport.device.wave;

import org.jspecify.annotations.NullMarked;
