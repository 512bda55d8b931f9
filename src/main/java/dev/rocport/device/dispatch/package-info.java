/** Launches: loaded code, arguments, workgroups, and the scheduler that runs their waves. */
@NullMarked
package dev.rocport.device.dispatch;

import org.jspecify.annotations.NullMarked;
