package dev.rocport.lang.python.syntax;

import java.util.Optional;

/**
 * A parameter of a function or lambda.
 *
 * @param star {@code *}, {@code **} or empty
 * @param name empty for a lone {@code *} and for {@code /}
 */
public record Parameter(
    String star, String name, Optional<Expr> annotation, Optional<Expr> initial, int start, int end)
    implements Node {}
