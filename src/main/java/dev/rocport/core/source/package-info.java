/** Source files as bytes, their lines and encodings, and how files are found and written. */
@NullMarked
package dev.rocport.core.source;

import org.jspecify.annotations.NullMarked;
