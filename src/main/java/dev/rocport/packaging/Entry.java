package dev.rocport.packaging;

/**
 * A value of a structured file.
 *
 * @param path the keys that lead to it, parted by dots; a list's element ends in {@code []}
 * @param value its text
 * @param start offset of its text, a quote not included
 * @param end offset behind its text
 */
record Entry(String path, String value, int start, int end) {}
