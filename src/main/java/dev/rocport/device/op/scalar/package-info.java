/** Scalar instructions: arithmetic on SGPRs, EXEC, branches, messages, the end of a wave. */
@NullMarked
package dev.rocport.device.op.scalar;

import org.jspecify.annotations.NullMarked;
