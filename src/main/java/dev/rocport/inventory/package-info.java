/**
 * The CUDA components that a tree depends on, where they are referenced, and their ROCm
 * counterparts.
 */
@NullMarked
package dev.rocport.inventory;

import org.jspecify.annotations.NullMarked;
