/** Texture and surface references. */
@NullMarked
package dev.rocport.lang.cuda.texture;

import org.jspecify.annotations.NullMarked;
