/** Ports command lines in build files: words, roles of variables, changes. */
@NullMarked
package dev.rocport.buildsystem.command;

import org.jspecify.annotations.NullMarked;
