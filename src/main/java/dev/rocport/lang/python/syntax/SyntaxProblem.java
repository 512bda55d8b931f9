package dev.rocport.lang.python.syntax;

/**
 * A place that is not Python.
 *
 * @param offset byte where it was seen
 * @param message what was expected there
 */
public record SyntaxProblem(int offset, String message) {}
