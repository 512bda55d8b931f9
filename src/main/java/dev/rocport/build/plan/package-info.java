/**
 * Plans what to compile and link, from {@code compile_commands.json} or from the files of the tree.
 */
@NullMarked
package dev.rocport.build.plan;

import org.jspecify.annotations.NullMarked;
