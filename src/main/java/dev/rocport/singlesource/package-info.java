/**
 * Single-source ports: one tree that builds for NVIDIA as it did and for AMD, every difference
 * behind a gate, and the proof that without the gates it is the original.
 */
@NullMarked
package dev.rocport.singlesource;

import org.jspecify.annotations.NullMarked;
