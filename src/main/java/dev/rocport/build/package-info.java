/**
 * Builds a ported tree: a plan of units and artifacts, the compiler behind an object cache, the
 * linker, and the way from the compiler's words back to the original source.
 */
@NullMarked
package dev.rocport.build;

import org.jspecify.annotations.NullMarked;
