package dev.rocport.build.unit;

import java.util.SortedSet;

/**
 * Origin of a line of a ported file.
 *
 * @param path the original file, relative to the root of the original tree
 * @param line 1-based
 * @param rules ids of the rules that edited this line
 */
public record Origin(String path, int line, SortedSet<String> rules) {}
