package dev.rocport.core.result;

/**
 * Text that takes the place of other text of an original file. Columns are 1-based and count UTF-16
 * code units, a byte order mark not included.
 *
 * @param line 1-based
 * @param column of the first unit replaced
 * @param endLine where what is replaced ends
 * @param endColumn behind the last unit replaced; that of the beginning for an insertion
 * @param text what stands there afterwards
 */
public record Replacement(int line, int column, int endLine, int endColumn, String text) {}
