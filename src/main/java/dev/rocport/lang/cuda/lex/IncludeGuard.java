package dev.rocport.lang.cuda.lex;

/** Recognises {@code #ifndef X / #define X} around a whole file. */
public final class IncludeGuard {
  private IncludeGuard() {}

  /** Index of the guard's {@code #define} directive, or -1 if the file has none. */
  public static int find(Tokens t) {
    if (t.directives().size() < 3) {
      return -1;
    }
    Directive first = t.directives().get(0);
    Directive second = t.directives().get(1);
    if (first.first() != 0 || !second.name().equals("define") || second.first() != first.last()) {
      return -1;
    }
    int name = second.body();
    boolean tests =
        first.name().equals("ifndef")
            ? t.is(first.body(), t.text(name))
            : first.name().equals("if")
                && t.is(first.body(), '!')
                && t.is(first.body() + 1, "defined");
    Directive last = t.directives().getLast();
    return tests && last.closes() && last.last() == t.count() ? 1 : -1;
  }
}
