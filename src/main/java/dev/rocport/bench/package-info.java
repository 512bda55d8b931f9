/** Measures the speed of porting, mostly on a synthetic code base. */
@NullMarked
package dev.rocport.bench;

import org.jspecify.annotations.NullMarked;
