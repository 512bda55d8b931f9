package dev.rocport.cli.support;

import java.io.PrintWriter;

/**
 * The output streams of a command.
 *
 * @param out machine output
 * @param err progress and prose
 * @param terminal whether a person watches {@code err}
 */
public record Console(PrintWriter out, PrintWriter err, boolean terminal) {}
