/** What {@code toolchain status} and {@code doctor} say about the toolchain. */
@NullMarked
package dev.rocport.toolchain.check;

import org.jspecify.annotations.NullMarked;
