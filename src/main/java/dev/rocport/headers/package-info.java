/** Checks the names of the API tables against the headers of a ROCm. */
@NullMarked
package dev.rocport.headers;

import org.jspecify.annotations.NullMarked;
