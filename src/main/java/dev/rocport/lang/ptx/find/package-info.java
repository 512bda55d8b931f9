/** Finds PTX in strings, compiler IR, files, and binaries. */
@NullMarked
package dev.rocport.lang.ptx.find;

import org.jspecify.annotations.NullMarked;
