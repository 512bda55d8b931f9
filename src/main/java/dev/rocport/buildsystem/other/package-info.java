/** Build files of systems that are not ported: what in them is CUDA's. */
@NullMarked
package dev.rocport.buildsystem.other;

import org.jspecify.annotations.NullMarked;
