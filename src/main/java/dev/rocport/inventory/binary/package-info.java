/**
 * The libraries that binaries link and the code for NVIDIA GPUs that they contain. Nothing is
 * executed, and nothing that a file declares about itself is trusted: sizes, counts and offsets are
 * checked.
 */
@NullMarked
package dev.rocport.inventory.binary;

import org.jspecify.annotations.NullMarked;
