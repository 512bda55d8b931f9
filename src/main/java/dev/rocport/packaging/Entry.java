package dev.rocport.packaging;

/**
 * A value of a structured file.
 *
 * @param path the keys that lead to it, separated by dots; a list element ends in {@code []}
 * @param value its text
 * @param start offset of its text, excluding a quote
 * @param end offset after its text
 */
record Entry(String path, String value, int start, int end) {}
