/** Tests of fleets. */
@NullMarked
package dev.rocport.fleet;

import org.jspecify.annotations.NullMarked;
