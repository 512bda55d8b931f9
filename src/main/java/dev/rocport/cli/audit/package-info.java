/** Commands that change nothing: {@code audit}, {@code gate}, {@code bill}, {@code compare}. */
@NullMarked
package dev.rocport.cli.audit;

import org.jspecify.annotations.NullMarked;
