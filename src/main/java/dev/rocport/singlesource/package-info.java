/**
 * Single-source ports: one tree that builds for AMD and, as before, for NVIDIA, with every
 * difference in a gate, and the proof that the tree without gates is the original.
 */
@NullMarked
package dev.rocport.singlesource;

import org.jspecify.annotations.NullMarked;
