/** What a compiler made for the device: fat binaries, code objects, kernels and their metadata. */
@NullMarked
package dev.rocport.device.codeobject;

import org.jspecify.annotations.NullMarked;
