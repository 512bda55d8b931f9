/** Commands that show and test rules: {@code rules}, {@code explain}, {@code ptx}. */
@NullMarked
package dev.rocport.cli.rules;

import org.jspecify.annotations.NullMarked;
