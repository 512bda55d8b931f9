/** Finds PTX wherever it is held: in strings, in texts of compilers, in files and in binaries. */
@NullMarked
package dev.rocport.lang.ptx.find;

import org.jspecify.annotations.NullMarked;
