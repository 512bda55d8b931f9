/** The one result model that every output is rendered from. */
@NullMarked
package dev.rocport.core.result;

import org.jspecify.annotations.NullMarked;
