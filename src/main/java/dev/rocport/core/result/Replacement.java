package dev.rocport.core.result;

/**
 * A replacement of text in an original file. Columns are 1-based and count UTF-16 code units,
 * excluding a byte order mark.
 *
 * @param line 1-based
 * @param column of the first unit replaced
 * @param endLine line where the replaced text ends
 * @param endColumn after the last unit replaced; equal to the start for an insertion
 * @param text the new text
 */
public record Replacement(int line, int column, int endLine, int endColumn, String text) {}
