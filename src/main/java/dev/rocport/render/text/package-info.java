/** A result as text and tables for people. */
@NullMarked
package dev.rocport.render.text;

import org.jspecify.annotations.NullMarked;
