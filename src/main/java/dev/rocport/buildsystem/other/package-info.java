/** Reports CUDA in build files of systems that are not ported. */
@NullMarked
package dev.rocport.buildsystem.other;

import org.jspecify.annotations.NullMarked;
