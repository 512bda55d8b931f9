/** A result as SARIF 2.1.0. */
@NullMarked
package dev.rocport.render.sarif;

import org.jspecify.annotations.NullMarked;
