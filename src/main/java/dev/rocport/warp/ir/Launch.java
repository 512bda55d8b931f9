package dev.rocport.warp.ir;

import java.util.Map;

/**
 * A launch.
 *
 * @param kernel its name without scopes
 * @param block the expression for the threads of a block
 * @param locals the values of variables of the launching function that are assigned once
 */
public record Launch(String path, String kernel, Expr block, Map<String, Expr> locals, Span at) {}
