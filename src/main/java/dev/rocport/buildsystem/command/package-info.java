/** Command lines in build files: their words, the roles of variables, and what becomes of them. */
@NullMarked
package dev.rocport.buildsystem.command;

import org.jspecify.annotations.NullMarked;
