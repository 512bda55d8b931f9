/** {@code rocport conformance}. */
@NullMarked
package dev.rocport.cli.conformance;

import org.jspecify.annotations.NullMarked;
