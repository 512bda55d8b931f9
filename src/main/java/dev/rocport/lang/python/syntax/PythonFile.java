package dev.rocport.lang.python.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A Python file as a tree.
 *
 * @param body its statements; without those that could not be parsed
 * @param problems syntax errors in source order; empty for a valid file
 */
public record PythonFile(List<Stmt> body, List<SyntaxProblem> problems) {
  /**
   * Parses a file in any encoding that keeps ASCII.
   *
   * @throws StackOverflowError if its expressions nest deeper than the stack
   */
  public static PythonFile parse(byte[] bytes) {
    List<SyntaxProblem> problems = new ArrayList<>();
    PythonTokens tokens = Lexer.file(bytes, problems);
    List<Stmt> body = new Parser(bytes, tokens, problems).file();
    problems.sort(Comparator.comparingInt(SyntaxProblem::offset));
    return new PythonFile(body, List.copyOf(problems));
  }
}
