/**
 * Builds a ported tree: a plan of units and artifacts, the compiler with an object cache, the
 * linker, and the mapping of compiler messages to the original source.
 */
@NullMarked
package dev.rocport.build;

import org.jspecify.annotations.NullMarked;
