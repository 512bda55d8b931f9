/** What the device can watch while programs run, beyond memory faults, and how it tells of it. */
@NullMarked
package dev.rocport.device.check;

import org.jspecify.annotations.NullMarked;
