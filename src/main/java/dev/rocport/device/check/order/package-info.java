/** Memory that is as late and as stale as the hardware's memory model allows. */
@NullMarked
package dev.rocport.device.check.order;

import org.jspecify.annotations.NullMarked;
