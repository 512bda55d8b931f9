package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Initializes the scalar members of a class whose default constructor is empty, where the file
 * passes a temporary of the class as an argument. What reads the members then has undefined
 * behavior, from which clang concludes that the code after it is never reached.
 */
final class EmptyConstructors {
  static final String RULE = "CXX-EMPTY-CONSTRUCTOR";

  private static final Set<String> DEVICE = Set.of("__shared__", "__device__", "__constant__");

  private final CudaFile f;
  private final Tokens t;

  private EmptyConstructors(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  static void run(CudaFile f) {
    if (f.isC() || !f.usesCuda() || !f.changes.allows(RULE)) {
      return;
    }
    EmptyConstructors pass = new EmptyConstructors(f);
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      boolean named = (t.is(i, "struct") || t.is(i, "class")) && t.isIdentifier(i + 1);
      if (named && t.is(i + 2, '{') && t.match(i + 2) > i && !f.regions.isDead(i)) {
        pass.inClass(i + 1, i + 2, t.match(i + 2));
      }
    }
  }

  private void inClass(int name, int open, int close) {
    List<String> scalars = new ArrayList<>();
    int constructor = -1;
    for (int i = open + 1; i < close; i = t.after(i)) {
      if (t.inDirective(i)) {
        return;
      }
      if (t.is(i, ';') && isScalar(i - 1)) {
        scalars.add(t.text(i - 1));
      }
      if (t.isSame(i, name) && isEmptyFunction(i) && !t.is(i - 1, '~')) {
        constructor = i;
      }
    }
    if (constructor >= 0 && !scalars.isEmpty() && isPassed(name)) {
      String members = scalars.stream().map(s -> s + "()").collect(Collectors.joining(", "));
      f.changes.edit(Edit.after(t.end(constructor + 2), " : " + members, RULE));
    }
  }

  /** Whether a declaration of one scalar member without initializer ends with its name here. */
  private boolean isScalar(int name) {
    int first = name;
    while (t.isIdentifier(first - 1) && ScalarTypes.WORDS.contains(t.text(first - 1))) {
      first--;
    }
    return t.isIdentifier(name)
        && first < name
        && (t.is(first - 1, ';')
            || t.is(first - 1, '{')
            || t.is(first - 1, '}')
            || (t.is(first - 1, ':') && t.isIdentifier(first - 2)));
  }

  private boolean isEmptyFunction(int i) {
    return t.is(i + 1, '(') && t.is(i + 2, ')') && t.is(i + 3, '{') && t.is(i + 4, '}');
  }

  /**
   * Whether a temporary of the class is an argument, and no variable of the device has the class:
   * its constructor has to stay empty.
   */
  private boolean isPassed(int name) {
    return IntStream.range(0, t.count())
            .anyMatch(
                k ->
                    t.isSame(k, name)
                        && (t.is(k - 1, '(') || t.is(k - 1, ','))
                        && t.is(k + 1, '(')
                        && t.is(k + 2, ')')
                        && (t.is(k + 3, ')') || t.is(k + 3, ','))
                        && !Scopes.isMember(t, k))
        && IntStream.range(0, t.count())
            .noneMatch(
                k ->
                    t.isSame(k, name)
                        && DEVICE.contains(t.text(Math.max(0, k - 1)))
                        && t.isIdentifier(k + 1)
                        && !t.is(k + 2, '('));
  }
}
