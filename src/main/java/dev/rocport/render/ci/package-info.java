/** A result in the forms of CI servers: JUnit XML, GitLab Code Quality, workflow commands. */
@NullMarked
package dev.rocport.render.ci;

import org.jspecify.annotations.NullMarked;
