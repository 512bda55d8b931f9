package dev.rocport.warp.ir;

import java.util.Map;

/**
 * A launch.
 *
 * @param kernel its name without scopes
 * @param block what stands for the block's threads
 * @param locals what the variables of the launching function are set to, those that are set once
 */
public record Launch(String path, String kernel, Expr block, Map<String, Expr> locals, Span at) {}
