/** A result as JSON, with its schema. */
@NullMarked
package dev.rocport.render.json;

import org.jspecify.annotations.NullMarked;
