/** What all build systems share: the files of a project, and what becomes of them. */
@NullMarked
package dev.rocport.buildsystem.shared;

import org.jspecify.annotations.NullMarked;
