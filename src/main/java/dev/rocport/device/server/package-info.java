/** The device as a process: its socket, the programs that use it, what each of them holds. */
@NullMarked
package dev.rocport.device.server;

import org.jspecify.annotations.NullMarked;
