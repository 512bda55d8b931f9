/** Options that several commands have in common, and {@code .rocport.yaml}. */
@NullMarked
package dev.rocport.cli.option;

import org.jspecify.annotations.NullMarked;
