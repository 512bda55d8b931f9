package dev.rocport.warp.ir;

import java.util.List;
import java.util.Optional;

/**
 * A declared variable or parameter.
 *
 * @param type as written, without CUDA qualifiers
 * @param typeAt the type's bytes
 * @param alone true if the type's bytes declare nothing else
 * @param pointer true for pointers, references excluded
 * @param dimensions of an array, one element each
 * @param shared true for {@code __shared__}
 */
public record Variable(
    String name,
    String type,
    Span typeAt,
    boolean alone,
    boolean pointer,
    boolean reference,
    List<Expr> dimensions,
    boolean shared,
    Optional<Expr> init) {}
