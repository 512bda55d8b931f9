/** {@code rocport verify} and {@code rocport golden}. */
@NullMarked
package dev.rocport.cli.verify;

import org.jspecify.annotations.NullMarked;
