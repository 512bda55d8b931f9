/** The instruction sets of gfx90a and gfx942: what the bits of machine code mean. */
@NullMarked
package dev.rocport.device.isa;

import org.jspecify.annotations.NullMarked;
