/**
 * What binaries are linked with and what code for NVIDIA GPUs they hold. Nothing is executed, and
 * nothing of what a file says about itself is believed: sizes, counts and places are checked.
 */
@NullMarked
package dev.rocport.inventory.binary;

import org.jspecify.annotations.NullMarked;
