/**
 * Checks a machine before a port, as phases 0 and 1 of the porting guide require: variables, GPUs,
 * the system, Python and its installed packages.
 */
@NullMarked
package dev.rocport.doctor;

import org.jspecify.annotations.NullMarked;
