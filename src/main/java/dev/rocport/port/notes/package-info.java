/** Comments that a port adds to its output on request, and takes out again. */
@NullMarked
package dev.rocport.port.notes;

import org.jspecify.annotations.NullMarked;
