/**
 * A CUDA toolkit that compiles nothing: it records what a project's build requests from nvcc and
 * the host compilers, so that two trees can be compared.
 */
@NullMarked
package dev.rocport.cudastub;

import org.jspecify.annotations.NullMarked;
