/** {@code rocport bench}. */
@NullMarked
package dev.rocport.cli.bench;

import org.jspecify.annotations.NullMarked;
