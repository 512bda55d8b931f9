/** A result as one page that needs no network. */
@NullMarked
package dev.rocport.render.html;

import org.jspecify.annotations.NullMarked;
