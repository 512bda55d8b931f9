/**
 * A toolkit of CUDA's that compiles nothing: it notes what a project's build asks of nvcc and of
 * the host's compilers, so that two trees can be held against each other.
 */
@NullMarked
package dev.rocport.cudastub;

import org.jspecify.annotations.NullMarked;
