/** The format of objects, libraries and programs. */
@NullMarked
package dev.rocport.elf;

import org.jspecify.annotations.NullMarked;
