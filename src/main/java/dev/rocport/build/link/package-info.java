/** Links programs and libraries, and finds out what goes into them. */
@NullMarked
package dev.rocport.build.link;

import org.jspecify.annotations.NullMarked;
