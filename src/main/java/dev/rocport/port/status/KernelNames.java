package dev.rocport.port.status;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Kernels;
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
    Kernels.names(tokens).forEach(i -> names.add(tokens.text(i)));
    return names;
  }

  /** Returns whether a name of the compiler is that of a kernel, with C or C++ linkage. */
  static boolean isOf(String mangled, String name) {
    return mangled.equals(name)
        || (mangled.startsWith("_Z") && mangled.contains(name.length() + name));
  }
}
