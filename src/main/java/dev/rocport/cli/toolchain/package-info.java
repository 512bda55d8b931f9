/** {@code rocport toolchain} and {@code rocport doctor}. */
@NullMarked
package dev.rocport.cli.toolchain;

import org.jspecify.annotations.NullMarked;
