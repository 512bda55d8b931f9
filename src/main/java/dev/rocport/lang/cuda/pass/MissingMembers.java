package dev.rocport.lang.cuda.pass;

import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Leaves out members of class templates without bases that use {@code this->name}, or {@code
 * object.name} with a local object of the class, for a name which the class does not have. No code
 * can call them; nvcc does not look at them, and clang rejects them.
 */
final class MissingMembers {
  static final String RULE = "CXX-MEMBER-MISSING";

  private static final Set<String> ACCESS = Set.of("public", "protected", "private");

  private final CudaFile f;
  private final Tokens t;

  private MissingMembers(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  static void run(CudaFile f) {
    if (f.isC() || !f.usesCuda() || !f.changes.allows(RULE)) {
      return;
    }
    MissingMembers pass = new MissingMembers(f);
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      boolean named = (t.is(i, "struct") || t.is(i, "class")) && t.isIdentifier(i + 1);
      if (named && !t.inDirective(i) && t.is(i - 1, '>') && ClangPass.isTemplate(t, i)) {
        int head = t.is(i + 2, '<') ? Angles.closeOfTemplate(t, i + 2) : i + 1;
        int open = head > i && t.is(head + 1, "final") ? head + 2 : head + 1;
        if (t.is(open, '{') && t.match(open) > open && !f.regions.isDead(open)) {
          pass.inClass(t.text(i + 1), open, t.match(open));
        }
      }
    }
  }

  private void inClass(String name, int open, int close) {
    Set<String> declared = new HashSet<>();
    TreeSet<Integer> uses = new TreeSet<>();
    for (int i = open; i < close; i++) {
      if (!t.isIdentifier(i)) {
        continue;
      }
      if (!isMember(i)) {
        declared.add(t.text(i));
      }
      if (t.isPair(i - 1, '-') && t.is(i - 2, "this")) {
        uses.add(i);
      }
      boolean object = t.is(i - 1, name) && (t.is(i + 1, ';') || t.is(i + 1, '='));
      int scope = object && !t.isPair(i - 2, ':') ? Scopes.enclosing(t, i) : open;
      for (int k = i + 1; scope > open && k < t.match(scope); k++) {
        if (t.isIdentifier(k) && t.is(k - 1, '.') && t.is(k - 2, t.text(i)) && !isMember(k - 2)) {
          uses.add(k);
        }
      }
    }
    int end = open;
    for (int i : uses) {
      if (i < end || declared.contains(t.text(i)) || f.regions.isDead(i)) {
        continue;
      }
      int body = body(i, open);
      if (isDefinition(body)) {
        HipGate.around(f, body - 1, t.match(body), RULE);
        end = t.match(body);
      } else {
        f.changes.finding(
            RULE,
            Disposition.UNPORTED,
            t.start(i),
            t.end(i),
            name + " has no member " + t.text(i) + ", so clang rejects this function");
      }
    }
  }

  private boolean isMember(int i) {
    return t.is(i - 1, '.') || t.isPair(i - 1, '-');
  }

  /** The brace in a class that holds a token. */
  private int body(int i, int open) {
    int body = i;
    for (int k = Scopes.enclosing(t, i); k > open; k = Scopes.enclosing(t, k)) {
      body = k;
    }
    return body;
  }

  /** Whether a brace is the body of a function whose definition can be left out alone. */
  private boolean isDefinition(int body) {
    boolean follows = t.is(body - 1, ')') || t.is(body - 1, "const");
    int first = Statements.definitionStart(t, body - 1);
    return t.is(body, '{')
        && t.match(body) > body
        && follows
        && !t.inDirective(first - 1)
        && t.isIdentifier(first)
        && IntStream.range(first, body).noneMatch(k -> ACCESS.contains(t.text(k)));
  }
}
