/**
 * The device code of a CUDA file: its functions in the syntax tree, their variables by scope, and
 * their control flow.
 */
@NullMarked
package dev.rocport.warp.code;

import org.jspecify.annotations.NullMarked;
