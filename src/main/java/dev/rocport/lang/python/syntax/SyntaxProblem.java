package dev.rocport.lang.python.syntax;

/**
 * A place in a file that is not valid Python.
 *
 * @param offset the byte at which it was detected
 * @param message what was expected there
 */
public record SyntaxProblem(int offset, String message) {}
