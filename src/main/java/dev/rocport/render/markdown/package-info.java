/** A result as Markdown. */
@NullMarked
package dev.rocport.render.markdown;

import org.jspecify.annotations.NullMarked;
