/** Configures and builds a tree for CUDA with a stand-in for the toolkit. */
@NullMarked
package dev.rocport.build.cuda;

import org.jspecify.annotations.NullMarked;
