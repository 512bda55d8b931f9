/**
 * Verification: a fixture is ported, built and run, and what it prints, writes and checks is
 * compared with what was recorded from the original on an NVIDIA GPU.
 */
@NullMarked
package dev.rocport.verify;

import org.jspecify.annotations.NullMarked;
