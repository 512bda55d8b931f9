/** Images: descriptors, formats of texels, and the sampling of texels with filters. */
@NullMarked
package dev.rocport.device.image;

import org.jspecify.annotations.NullMarked;
