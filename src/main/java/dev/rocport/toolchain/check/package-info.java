/** The checks of the toolchain for {@code toolchain status} and {@code doctor}. */
@NullMarked
package dev.rocport.toolchain.check;

import org.jspecify.annotations.NullMarked;
