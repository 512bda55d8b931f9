/** Runs a project's own build system in a copy of the tree. */
@NullMarked
package dev.rocport.build.project;

import org.jspecify.annotations.NullMarked;
