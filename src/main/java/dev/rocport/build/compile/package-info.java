/** Makes objects, from the cache where they are in it. */
@NullMarked
package dev.rocport.build.compile;

import org.jspecify.annotations.NullMarked;
