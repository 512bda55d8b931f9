/** Reads ELF, the format of objects, libraries and programs. */
@NullMarked
package dev.rocport.io.elf;

import org.jspecify.annotations.NullMarked;
