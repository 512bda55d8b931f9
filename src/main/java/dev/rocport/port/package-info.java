/** Ports files and trees: walk, port, write, record, undo. */
@NullMarked
package dev.rocport.port;

import org.jspecify.annotations.NullMarked;
