/** {@code rocport run} and {@code rocport device}. */
@NullMarked
package dev.rocport.cli.run;

import org.jspecify.annotations.NullMarked;
