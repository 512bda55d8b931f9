/** Types that all build systems share: the files of a project, the result of a port, gates. */
@NullMarked
package dev.rocport.buildsystem.shared;

import org.jspecify.annotations.NullMarked;
