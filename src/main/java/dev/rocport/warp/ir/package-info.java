/**
 * The functions of a CUDA file in the form that the warp analyses read: expressions and statements
 * as records, each with its bytes in the file.
 */
@NullMarked
package dev.rocport.warp.ir;

import org.jspecify.annotations.NullMarked;
