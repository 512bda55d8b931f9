/** What all commands share: the console, exit codes, signals. */
@NullMarked
package dev.rocport.cli.support;

import org.jspecify.annotations.NullMarked;
