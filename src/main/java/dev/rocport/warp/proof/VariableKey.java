package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;

/**
 * A variable, a parameter, or the return value of a function.
 *
 * @param typeAt the span of its type
 * @param alone true if the type's bytes declare nothing else
 */
record VariableKey(String path, String name, Span typeAt, String type, boolean alone) {}
