/**
 * Source files as bytes, their lines and encodings, edits as spans, and how files are found and
 * written.
 */
@NullMarked
package dev.rocport.core.source;

import org.jspecify.annotations.NullMarked;
