package dev.rocport.lang.cuda.shmem;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.ShmemName;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Finds numbers in the place of NVSHMEM constants: rocSHMEM numbers its comparisons, signal
 * operations, teams, and flags differently, so such a number changes its meaning, which no compiler
 * diagnoses.
 */
final class ShmemLiterals {
  static final String RULE = "SHMEM-LITERAL";
  private static final Set<String> TEAMS = Set.of("team", "src_team", "dest_team", "parent_team");

  private final CudaFile f;
  private final Tokens t;
  private final Set<Integer> seen = new HashSet<>();

  ShmemLiterals(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  /** Checks the arguments of the call whose function name is at token {@code i}. */
  void arguments(ShmemName name, int i) {
    if (!t.is(i + 1, '(') || t.match(i + 1) < 0) {
      return;
    }
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    if (arguments.size() != name.parameters().size()) {
      return;
    }
    for (int k = 0; k < arguments.size(); k++) {
      String parameter = role(name.parameters().get(k));
      Map<Integer, ShmemName> constants = f.api.shmemConstants(parameter);
      if (!constants.isEmpty()) {
        argument(parameter, constants, arguments.get(k));
      }
    }
  }

  private static String role(String parameter) {
    return TEAMS.contains(parameter) ? "team" : parameter;
  }

  private void argument(String parameter, Map<Integer, ShmemName> constants, Arguments.Span a) {
    int first = a.first();
    int last = a.last();
    while (t.is(first, '(') && t.match(first) == last) {
      first++;
      last--;
    }
    if (t.is(first, '(') && t.match(first) > 0 && t.match(first) < last) {
      first = t.match(first) + 1; // a cast
    } else if (t.is(first, "static_cast") && t.is(last, ')')) {
      first = t.match(last) + 1;
      last--;
    }
    OptionalInt number = number(first, last);
    if (number.isPresent()) {
      literal(parameter, constants, number.getAsInt(), a.first(), a.last());
    } else if (first == last && t.isIdentifier(first)) {
      variable(constants, first);
    } else if (hasNumber(first, last)) {
      tell(a.first(), a.last(), "a number may be used here as an NVSHMEM " + what(parameter));
    }
  }

  /** Declarations and comparisons of variables that hold a team. */
  void teams() {
    Map<Integer, ShmemName> constants = f.api.shmemConstants("team");
    Set<String> variables = new HashSet<>();
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, "nvshmem_team_t")) {
        type(constants, i, variables);
      }
    }
    for (int i = 0; !variables.isEmpty() && i < t.count(); i++) {
      if (t.isIdentifier(i) && variables.contains(t.text(i)) && !f.isQualified(i)) {
        team(constants, i);
      }
    }
  }

  /** Handles what follows the type: variables, a function, or the operand of a cast. */
  private void type(Map<Integer, ShmemName> constants, int i, Set<String> variables) {
    if (t.is(i + 1, ')') && t.is(i - 1, '(')) {
      cast(constants, i + 2);
    } else if (t.is(i + 1, '>') && t.is(i + 2, '(') && t.is(i - 2, "static_cast")) {
      cast(constants, i + 3);
    } else if (t.isIdentifier(i + 1) && t.is(i + 2, '(') && t.match(i + 2) > 0) {
      int body = t.match(i + 2) + 1;
      for (int k = body; t.is(body, '{') && k < t.match(body); k++) {
        if (t.is(k, "return")) {
          value(constants, k + 1);
        }
      }
    } else if (t.isIdentifier(i + 1)) {
      variables.add(t.text(i + 1));
      for (int k = i + 2; t.is(k, ',') && t.isIdentifier(k + 1); k += 2) {
        variables.add(t.text(k + 1));
      }
    }
  }

  private void cast(Map<Integer, ShmemName> constants, int at) {
    int end = t.is(at, '-') ? at + 1 : at;
    OptionalInt number = number(at, end);
    if (number.isPresent()) {
      literal("team", constants, number.getAsInt(), at, end);
    } else if (t.isIdentifier(at) && !t.text(at).startsWith("NVSHMEM")) {
      tell(
          at,
          at,
          "the number " + t.text(at) + " is cast to a team, but a team in rocSHMEM is a pointer");
    }
  }

  /** A number that is all of a value. */
  private void value(Map<Integer, ShmemName> constants, int at) {
    int end = t.is(at, '-') ? at + 1 : at;
    OptionalInt number = number(at, end);
    boolean whole =
        t.is(end + 1, ';')
            || t.is(end + 1, ')')
            || t.is(end + 1, ',')
            || t.is(end + 1, '}')
            || t.is(end + 1, '&')
            || t.is(end + 1, '|')
            || t.is(end + 1, '?');
    if (number.isPresent() && whole) {
      literal("team", constants, number.getAsInt(), at, end);
    }
  }

  /**
   * The elements between braces; none is the world team in NVSHMEM, and an invalid one in rocSHMEM.
   */
  private void braces(Map<Integer, ShmemName> constants, int open) {
    if (t.is(open + 1, '}')) {
      tell(
          open,
          open + 1,
          "an empty initializer gives NVSHMEM_TEAM_WORLD in NVSHMEM, but an invalid team in"
              + " rocSHMEM");
    }
    for (Arguments.Span a : Arguments.between(t, open + 1, t.match(open))) {
      value(constants, a.first());
    }
  }

  private void team(Map<Integer, ShmemName> constants, int i) {
    int behind = t.is(i + 1, '[') && t.match(i + 1) > 0 ? t.match(i + 1) + 1 : i + 1;
    int initialiser = t.is(behind, '=') ? behind + 1 : behind;
    if (t.is(initialiser, '{') && t.match(initialiser) > 0) {
      braces(constants, initialiser);
      return;
    }
    if (t.is(i - 1, '&') && t.is(i - 2, '(') && t.is(i - 3, "memset")) {
      tell(
          i,
          i,
          "a team handle with all bits zero is NVSHMEM_TEAM_WORLD in NVSHMEM, but an invalid team"
              + " in rocSHMEM");
      return;
    }
    if (t.is(i - 1, '!') && !t.is(i + 1, '(')) {
      tell(
          i - 1,
          i,
          "'!"
              + t.text(i)
              + "' tests for NVSHMEM_TEAM_WORLD in NVSHMEM, but for an invalid team in rocSHMEM");
      return;
    }
    int at = t.is(i + 1, '=') ? (t.is(i + 2, '=') ? i + 3 : i + 2) : -1;
    at = t.is(i + 1, '!') && t.is(i + 2, '=') ? i + 3 : at;
    if (at > 0) {
      value(constants, at);
    } else if (t.is(i + 1, '<') || t.is(i + 1, '>')) {
      int b = t.is(i + 2, '=') ? i + 3 : i + 2;
      int end = t.is(b, '-') ? b + 1 : b;
      if (number(b, end).isPresent()) {
        tell(
            i,
            end,
            "a team is a number in NVSHMEM but a pointer in rocSHMEM: its order has no meaning");
      }
    }
  }

  private void literal(
      String parameter, Map<Integer, ShmemName> constants, int number, int first, int last) {
    ShmemName constant = constants.get(number);
    if (constant == null || constant.target().isEmpty()) {
      String is = constant == null ? "not a known NVSHMEM " + what(parameter) : constant.name();
      tell(first, last, number + " is " + is);
      return;
    }
    if (!seen.add(first)) {
      return;
    }
    f.tell(
        RULE,
        Severity.WARNING,
        Disposition.PORTED,
        t.start(first),
        t.end(last),
        number + " is " + constant.name() + " here, and becomes " + constant.target(),
        f.api.rule(RULE).advice());
    if (f.changes.allows(RULE)) {
      f.changes.edit(Edit.replace(t.start(first), t.end(last), constant.target(), RULE));
    }
  }

  private void variable(Map<Integer, ShmemName> constants, int i) {
    OptionalInt value = valueOf(i);
    if (value.isPresent()) {
      ShmemName constant = constants.get(value.getAsInt());
      tell(
          i,
          i,
          t.text(i)
              + " is the number "
              + value.getAsInt()
              + (constant == null ? "" : ", that is, " + constant.name()));
    }
  }

  /** The number that this file gives the name at token {@code use}, and no other value. */
  private OptionalInt valueOf(int use) {
    String name = t.text(use);
    OptionalInt found = OptionalInt.empty();
    for (int k = 0; k + 1 < t.count(); k++) {
      if (!t.is(k, name)) {
        continue;
      }
      if (t.is(k - 1, "define")) {
        return number(k + 1, t.is(k + 1, '-') ? k + 2 : k + 1);
      }
      if (!t.is(k + 1, '=') || t.is(k + 2, '=')) {
        continue;
      }
      boolean declared = t.isIdentifier(k - 1) && !t.is(k - 1, "return");
      boolean enumerator = t.is(k - 1, '{') || t.is(k - 1, ',');
      if (!declared && !enumerator) {
        return OptionalInt.empty(); // set to something else, too
      }
      if (enumerator || (!t.is(k - 1, "nvshmem_team_t") && reaches(k, use))) {
        int end = t.is(k + 2, '-') ? k + 3 : k + 2;
        boolean whole = t.is(end + 1, ';') || t.is(end + 1, ',') || t.is(end + 1, '}');
        found = whole ? number(k + 2, end) : OptionalInt.empty();
      }
    }
    return found;
  }

  /** Whether a variable that is declared at {@code from} is still there at {@code to}. */
  private boolean reaches(int from, int to) {
    int k = Scopes.enclosing(t, from);
    return from < to && (k < 0 || t.match(k) > to);
  }

  private OptionalInt number(int first, int last) {
    boolean minus = t.is(first, '-');
    int at = minus ? first + 1 : first;
    if (at != last || t.kind(at) != Tokens.NUMBER) {
      return OptionalInt.empty();
    }
    String text = t.text(at).replaceAll("[uUlL']+$", "");
    try {
      int value = Integer.decode(text);
      return OptionalInt.of(minus ? -value : value);
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  private boolean hasNumber(int first, int last) {
    int k = first;
    while (k <= last) {
      if (t.kind(k) == Tokens.NUMBER) {
        return true;
      }
      int partner = t.match(k);
      k = partner > k ? partner + 1 : k + 1;
    }
    return false;
  }

  private static String what(String parameter) {
    return switch (parameter) {
      case "cmp" -> "comparison";
      case "sig_op" -> "signal operation";
      case "requested" -> "thread level";
      case "flags" -> "flag";
      default -> "team";
    };
  }

  private void tell(int first, int last, String message) {
    f.unported(RULE, first, last, message, f.api.rule(RULE).advice());
  }
}
