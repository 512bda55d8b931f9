/** {@code rocport build}. */
@NullMarked
package dev.rocport.cli.build;

import org.jspecify.annotations.NullMarked;
