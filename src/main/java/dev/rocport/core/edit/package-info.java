/** Edits as spans of the original bytes. */
@NullMarked
package dev.rocport.core.edit;

import org.jspecify.annotations.NullMarked;
