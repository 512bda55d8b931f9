/** Git repositories, read and written without a git program and without any command of a user. */
@NullMarked
package dev.rocport.git;

import org.jspecify.annotations.NullMarked;
