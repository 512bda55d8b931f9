/** Reads the formats of files and sections that hold code for GPUs. */
@NullMarked
package dev.rocport.io.gpucode;

import org.jspecify.annotations.NullMarked;
