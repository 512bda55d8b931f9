/** The findings of a result as CSV. */
@NullMarked
package dev.rocport.render.csv;

import org.jspecify.annotations.NullMarked;
