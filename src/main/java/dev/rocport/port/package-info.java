/** Porting of files and trees: walk, port, write, remember, undo. */
@NullMarked
package dev.rocport.port;

import org.jspecify.annotations.NullMarked;
