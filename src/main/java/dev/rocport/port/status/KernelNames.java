package dev.rocport.port.status;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Set;
import java.util.TreeSet;

/** Names of the kernels in a source. */
final class KernelNames {
  private KernelNames() {}

  static Set<String> of(SourceFile file) {
    Set<String> names = new TreeSet<>();
    if (!file.holds("__global__")) {
      return names;
    }
    Tokens tokens = Lexer.lex(file);
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.is(i, "__global__") && !tokens.inDirective(i)) {
        String name = name(tokens, i + 1);
        if (!name.isEmpty()) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Returns the name before the parameters; empty if there are none. */
  private static String name(Tokens tokens, int from) {
    for (int i = from; i < tokens.count(); i++) {
      if (tokens.is(i, ';') || tokens.is(i, '{')) {
        return "";
      }
      if (tokens.is(i, '(')) {
        if (!tokens.isIdentifier(i - 1) || tokens.begins(i - 1, "__")) {
          i = Math.max(i, tokens.match(i)); // __launch_bounds__ or an attribute
        } else {
          return tokens.text(i - 1);
        }
      }
    }
    return "";
  }

  /** Returns whether a name of the compiler is that of a kernel, with C or C++ linkage. */
  static boolean isOf(String mangled, String name) {
    return mangled.equals(name)
        || (mangled.startsWith("_Z") && mangled.contains(name.length() + name));
  }
}
