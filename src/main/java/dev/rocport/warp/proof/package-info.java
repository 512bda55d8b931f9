/**
 * Runs kernels on abstract values to see what depends on the number of lanes in a warp. A kernel
 * may use wider warps if nothing that does so can be seen from outside: information flow, with the
 * warp size as the secret.
 */
@NullMarked
package dev.rocport.warp.proof;

import org.jspecify.annotations.NullMarked;
