/** The one result model that every output is rendered from. */
@NullMarked
package dev.rocport.report;

import org.jspecify.annotations.NullMarked;
