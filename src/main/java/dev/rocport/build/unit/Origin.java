package dev.rocport.build.unit;

import java.util.SortedSet;

/**
 * Where a line of a ported file comes from.
 *
 * @param path the original file, relative to the original tree's root
 * @param line 1-based
 * @param rules ids of the rules that edited this line
 */
public record Origin(String path, int line, SortedSet<String> rules) {}
