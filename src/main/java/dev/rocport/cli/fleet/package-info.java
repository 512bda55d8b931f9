/** Starts the program of the folder {@code fleet}, which runs on Apache Spark. */
@NullMarked
package dev.rocport.cli.fleet;

import org.jspecify.annotations.NullMarked;
