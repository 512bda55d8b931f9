/** The state of a port: what is ported, built, run, compared and checked. */
@NullMarked
package dev.rocport.port.status;

import org.jspecify.annotations.NullMarked;
