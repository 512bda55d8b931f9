/** Compiles objects, with a cache. */
@NullMarked
package dev.rocport.build.compile;

import org.jspecify.annotations.NullMarked;
