/**
 * Captures of compiled PyTorch graphs: their calls in order, and the script that replays them.
 * {@code hip-runtime/torch} writes captures and has the program that replays scripts.
 */
@NullMarked
package dev.rocport.verify.capture;

import org.jspecify.annotations.NullMarked;
