/**
 * Decides what is compiled and linked: from {@code compile_commands.json}, or by looking at the
 * tree.
 */
@NullMarked
package dev.rocport.build.plan;

import org.jspecify.annotations.NullMarked;
