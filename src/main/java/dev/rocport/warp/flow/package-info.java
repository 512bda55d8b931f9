/**
 * Data-flow analysis, independent of the language: lattices, a worklist that finds the least
 * fixpoint, and control dependence.
 */
@NullMarked
package dev.rocport.warp.flow;

import org.jspecify.annotations.NullMarked;
