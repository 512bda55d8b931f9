/** A synthetic code base, and how fast it is ported. */
@NullMarked
package dev.rocport.bench;

import org.jspecify.annotations.NullMarked;
