/** Ports {@code configure.ac}, {@code Makefile.am} and M4 macros. */
@NullMarked
package dev.rocport.buildsystem.autotools;

import org.jspecify.annotations.NullMarked;
