/**
 * Interprets kernels on abstract values to determine what depends on the number of lanes in a warp.
 * A kernel may use wider warps if no such dependence is visible outside: an information-flow
 * analysis with the warp size as the secret.
 */
@NullMarked
package dev.rocport.warp.proof;

import org.jspecify.annotations.NullMarked;
