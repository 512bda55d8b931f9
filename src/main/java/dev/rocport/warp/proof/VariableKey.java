package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Span;

/**
 * A variable or parameter, or what a function returns.
 *
 * @param typeAt where its type stands
 * @param alone true if the type's bytes declare nothing else
 */
record VariableKey(String path, String name, Span typeAt, String type, boolean alone) {}
