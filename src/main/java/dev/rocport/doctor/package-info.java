/**
 * Looks at a machine as the porting guide asks for before anything is ported (its phases 0 and 1):
 * variables, GPUs, the system, Python and what is installed for it.
 */
@NullMarked
package dev.rocport.doctor;

import org.jspecify.annotations.NullMarked;
