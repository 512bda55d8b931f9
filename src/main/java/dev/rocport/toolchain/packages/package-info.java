/** Debian packages: indexes, downloads, archives, unpacking. */
@NullMarked
package dev.rocport.toolchain.packages;

import org.jspecify.annotations.NullMarked;
