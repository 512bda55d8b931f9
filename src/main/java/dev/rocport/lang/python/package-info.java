/**
 * Ports Python: what must be different on ROCm is put behind {@code is_rocm}, and the NVIDIA path
 * stays the original, byte for byte.
 */
@NullMarked
package dev.rocport.lang.python;

import org.jspecify.annotations.NullMarked;
