/** Arithmetic on {@code CUdeviceptr}. */
@NullMarked
package dev.rocport.lang.cuda.deviceptr;

import org.jspecify.annotations.NullMarked;
