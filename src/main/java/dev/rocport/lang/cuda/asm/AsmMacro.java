package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.MacroParameters;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An asm statement in a macro whose text contains parameters that {@code #} turns into strings,
 * with its expansion for each set of arguments in the file. If all of them can be translated, each
 * becomes a separate macro, and {@code ##} selects among them as {@code #} did.
 *
 * @param directive the macro
 * @param name how the macros for its arguments begin
 * @param parameters those made strings, in the order of their first use
 * @param uses the statement by what its arguments paste together
 */
record AsmMacro(
    Directive directive, String name, List<String> parameters, Map<String, AsmStatement> uses) {
  /** What {@code ##} can paste to a name. */
  private static final Pattern WORD = Pattern.compile("\\w+");

  /** The macro of a statement that cannot be read without its arguments, or null. */
  static @Nullable AsmMacro of(Tokens t, AsmStatement asm) {
    int d = asm.odd().isEmpty() || asm.operands() == null ? -1 : t.directiveOf(asm.first());
    Directive directive = d < 0 ? null : t.directives().get(d);
    if (directive == null || !directive.name().equals("define")) {
      return null;
    }
    int macro = directive.body();
    List<String> names = MacroParameters.of(t, directive);
    List<String> strings = new ArrayList<>();
    for (int k = asm.first(); k < asm.last(); k++) {
      String word = t.is(k, '#') && !t.is(k + 1, '#') && !t.is(k - 1, '#') ? t.text(k + 1) : "";
      if (names.contains(word) && !strings.contains(word)) {
        strings.add(word);
      }
    }
    Map<String, AsmStatement> uses = strings.isEmpty() ? null : uses(t, asm, macro, names, strings);
    if (uses == null || uses.isEmpty() || hasComma(t, asm)) {
      return null;
    }
    int before = 0; // statements of the macro, in all its definitions
    for (int k = 0; k < asm.first(); k++) {
      int d2 = AsmStatement.open(t, k) >= 0 ? t.directiveOf(k) : -1;
      before += d2 >= 0 && isDefinition(t, t.directives().get(d2), t.text(macro)) ? 1 : 0;
    }
    String name = "ROCPORT_" + t.text(macro) + (before == 0 ? "_" : "_" + before + "_");
    return new AsmMacro(directive, name, List.copyOf(strings), uses);
  }

  private static boolean isDefinition(Tokens t, Directive d, String macro) {
    return d.name().equals("define") && t.is(d.body(), macro);
  }

  /** The statement for each use of the macro in this file; null if one is not known. */
  private static @Nullable Map<String, AsmStatement> uses(
      Tokens t, AsmStatement asm, int macro, List<String> names, List<String> strings) {
    Map<String, AsmStatement> uses = new LinkedHashMap<>();
    for (int i = 0; i < t.count(); i++) {
      if (i == macro || !t.isIdentifier(i) || !t.is(i, t.text(macro))) {
        continue;
      }
      if (t.inDirective(i)) {
        if (t.is(i - 1, "undef") || t.is(i - 1, "define")) {
          continue; // another definition has the same uses
        }
        return null; // a macro that hands its own parameters on
      }
      List<Arguments.Span> given =
          t.is(i + 1, '(') && t.match(i + 1) > 0 ? Arguments.of(t, i + 1) : List.of();
      Map<String, String> arguments = new LinkedHashMap<>();
      for (String s : strings) {
        int k = names.indexOf(s);
        String text =
            k < given.size() && given.get(k).first() == given.get(k).last()
                ? t.text(given.get(k).first())
                : "";
        if (!WORD.matcher(text).matches()) {
          return null;
        }
        arguments.put(s, text);
      }
      AsmStatement known = AsmStatement.at(t, asm.first(), arguments, new BitSet());
      if (known == null || !known.odd().isEmpty()) {
        return null;
      }
      uses.putIfAbsent(String.join("_", arguments.values()), known);
    }
    return uses;
  }

  /** An operand that would be two arguments. */
  private static boolean hasComma(Tokens t, AsmStatement asm) {
    for (AsmStatement.Operand o : Objects.requireNonNull(asm.operands())) {
      for (int k = o.span().first(); k <= o.span().last(); k++) {
        if (t.is(k, ',')) {
          return true;
        }
        k = t.is(k, '(') ? Math.max(k, t.match(k)) : k;
      }
    }
    return false;
  }

  /** What is in the statement's place, before its operands. */
  String call() {
    return name + "##" + String.join("##_##", parameters);
  }
}
