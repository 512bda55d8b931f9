/** The checks that the device can run in addition to memory faults, and their reports. */
@NullMarked
package dev.rocport.device.check;

import org.jspecify.annotations.NullMarked;
