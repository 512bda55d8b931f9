package dev.rocport.lang.cuda.lex;

/**
 * A preprocessor directive.
 *
 * @param name {@code if}, {@code include}, ...; empty for a lone {@code #}
 * @param first index of the {@code #} token
 * @param last index after its last token
 * @param start offset of the {@code #}
 * @param end offset after its last byte, excluding the line end
 */
public record Directive(String name, int first, int last, int start, int end) {
  /** Index of the first token after the name. */
  public int body() {
    return name.isEmpty() ? first + 1 : first + 2;
  }

  public boolean opens() {
    return name.equals("if") || name.equals("ifdef") || name.equals("ifndef");
  }

  /** True for a branch of an open conditional: {@code elif}, {@code else} and their kin. */
  public boolean turns() {
    return name.startsWith("el");
  }

  public boolean closes() {
    return name.equals("endif");
  }

  /** True if the body is a condition that is evaluated. */
  public boolean isCondition() {
    return opens() || (turns() && !name.equals("else"));
  }

  public boolean isInclude() {
    return name.equals("include") || name.equals("include_next") || name.equals("import");
  }
}
