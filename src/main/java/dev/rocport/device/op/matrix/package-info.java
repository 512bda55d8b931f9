/** Matrix instructions: MFMA and its sparse form, SMFMAC. */
@NullMarked
package dev.rocport.device.op.matrix;

import org.jspecify.annotations.NullMarked;
