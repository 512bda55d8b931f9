/** The state of one file during the passes, and passes that belong to no family. */
@NullMarked
package dev.rocport.lang.cuda.pass;

import org.jspecify.annotations.NullMarked;
