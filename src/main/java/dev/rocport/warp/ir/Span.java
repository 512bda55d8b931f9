package dev.rocport.warp.ir;

/**
 * Bytes of a file.
 *
 * @param start first byte
 * @param end behind the last byte
 * @param editable false inside of a macro's expansion, where the bytes are the macro's whole use
 */
public record Span(int start, int end, boolean editable) {}
