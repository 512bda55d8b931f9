package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Ports {@code __shared__} variables of classes whose members have initializers. nvcc does not
 * initialize them, and clang rejects them. Bytes of the same size and alignment take the place of
 * the variable, and a reference has its name.
 */
final class SharedVariables {
  static final String RULE = "CXX-SHARED-INITIALIZER";

  private static final Set<String> QUALIFIERS = Set.of("const", "volatile", "static", "extern");

  private final CudaFile f;
  private final Tokens t;
  private final Set<String> classes;

  private SharedVariables(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.classes = f.project.initializedClasses();
  }

  static void run(CudaFile f) {
    if (f.isC() || !f.t.mentions("__shared__") || !f.changes.allows(RULE)) {
      return;
    }
    SharedVariables pass = new SharedVariables(f);
    for (int i = 0; !pass.classes.isEmpty() && i < f.t.count(); i++) {
      if (f.t.is(i, "__shared__") && !f.t.inDirective(i) && !f.regions.isDead(i)) {
        pass.variable(i);
      }
    }
  }

  private void variable(int shared) {
    int type = shared + 1;
    while (QUALIFIERS.contains(t.text(type))) {
      type++;
    }
    int last = Scopes.nameEnd(t, type);
    if (!classes.contains(t.text(last))) {
      return;
    }
    int before = t.is(last + 1, '<') ? Angles.closeOfTemplate(t, last + 1) : last;
    if (before < 0) {
      return;
    }
    int name = before + 1;
    int start = Statements.start(t, shared);
    if (!t.isIdentifier(name) || IntStream.range(start, shared).anyMatch(k -> t.is(k, "extern"))) {
      return;
    }
    int end = name + 1;
    while (t.is(end, '[') && t.match(end) > end + 1) {
      end = t.match(end) + 1;
    }
    boolean plain =
        start == shared
            && type == shared + 1
            && t.is(end, ';')
            && IntStream.rangeClosed(shared, end).noneMatch(t::inDirective);
    if (plain) {
      bytes(shared, name, end);
    } else if (type == shared + 1 || !t.is(shared + 1, "extern")) {
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          t.start(shared),
          t.end(name),
          "members of "
              + t.text(last)
              + " have initializers, and clang rejects __shared__ variables with any");
    }
  }

  private void bytes(int shared, int name, int end) {
    String type = "rocport_" + t.text(name) + "_type";
    String bytes = "rocport_" + t.text(name) + "_bytes";
    String rest =
        " alignas(%1$s) __shared__ unsigned char %2$s[sizeof(%1$s)]; %1$s& %3$s = reinterpret_cast<%1$s&>(%2$s);"
            .formatted(type, bytes, t.text(name));
    f.changes.edit(Edit.replace(t.start(shared), t.end(shared), "typedef", RULE));
    f.changes.alsoEdit(Edit.replace(t.start(name), t.end(name), type, RULE));
    f.changes.alsoEdit(Edit.after(t.end(end), rest, RULE));
  }
}
