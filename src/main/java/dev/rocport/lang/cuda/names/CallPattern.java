package dev.rocport.lang.cuda.names;

import dev.rocport.core.source.SourceFile;
import dev.rocport.io.InvalidFileException;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The token pattern of a rule for one function, {@code f($a, $rest...)}, and its replacement.
 *
 * <p>In the pattern, {@code $name} is one argument, {@code $name...} all remaining arguments,
 * anything else is the argument's literal text. In the rewrite, {@code $f} is the function's name
 * (renamed by the API table), {@code $name} the argument as ported.
 *
 * @param rule the rule it comes from
 * @param function name of the function called
 * @param arguments one entry per argument: the name of a hole with {@code $}, or literal text
 * @param rest name of the hole for all further arguments, with {@code $}; empty if there is none
 * @param rewrite parts of the replacement in order: holes with {@code $}, all else is text
 */
public record CallPattern(
    Rule rule, String function, List<String> arguments, String rest, List<String> rewrite) {

  static List<CallPattern> compile(Rule rule) {
    Tokens t = Lexer.lex(SourceFile.of(rule.id(), rule.match()));
    if (!t.isIdentifier(0) || !t.is(1, '(') || t.match(1) < 0) {
      throw new InvalidFileException(
          "rule " + rule.id() + ": the match must be a call: " + rule.match());
    }
    List<String> arguments = new ArrayList<>();
    String rest = "";
    int close = t.match(1);
    for (Arguments.Span a : Arguments.of(t, 1)) {
      String text = t.file().text(t.start(a.first()), t.end(a.last()));
      if (text.startsWith("$") && text.endsWith("...")) {
        rest = text.substring(0, text.length() - 3);
        if (a.last() + 1 != close) {
          throw new InvalidFileException(
              "rule " + rule.id() + ": '" + text + "' must be the last argument");
        }
      } else {
        arguments.add(text);
      }
    }
    List<String> rewrite = parts(rule.rewrite());
    for (String part : rewrite) {
      String hole = part.replace("...", "");
      if (part.startsWith("$")
          && !part.equals("$f")
          && !arguments.contains(hole)
          && !hole.equals(rest)) {
        throw new InvalidFileException(
            "rule " + rule.id() + ": the rewrite uses " + part + ", which is not in the match");
      }
    }
    String name = t.text(0);
    List<String> functions = name.equals("$f") ? rule.functions() : List.of(name);
    if (functions.isEmpty()) {
      throw new InvalidFileException("rule " + rule.id() + ": '$f' needs 'functions'");
    }
    String all = rest;
    return functions.stream()
        .map(f -> new CallPattern(rule, f, List.copyOf(arguments), all, rewrite))
        .toList();
  }

  /**
   * The pattern of one function with a fixed number of arguments.
   *
   * @param arguments a hole's name for each, with {@code $}
   * @param rewrite what the call becomes, with these holes
   */
  public static CallPattern of(Rule rule, String function, List<String> arguments, String rewrite) {
    return new CallPattern(rule, function, List.copyOf(arguments), "", parts(rewrite));
  }

  /**
   * True for a rewrite that leaves the function's name to the tables and has the arguments in
   * another order.
   */
  boolean movesArgumentsOnly() {
    List<String> matched =
        Stream.concat(arguments.stream(), Stream.of(rest)).filter(a -> a.startsWith("$")).toList();
    List<String> written =
        rewrite.stream()
            .filter(part -> part.startsWith("$") && !part.equals("$f"))
            .map(part -> part.replace("...", ""))
            .toList();
    return rewrite.contains("$f") && !written.equals(matched);
  }

  private static List<String> parts(String rewrite) {
    List<String> parts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int i = 0;
    while (i < rewrite.length()) {
      char c = rewrite.charAt(i);
      if (c == '$' && i + 1 < rewrite.length() && Character.isLetter(rewrite.charAt(i + 1))) {
        int e = i + 1;
        while (e < rewrite.length() && isNamePart(rewrite.charAt(e))) {
          e++;
        }
        if (!text.isEmpty()) {
          parts.add(text.toString());
          text.setLength(0);
        }
        String hole = rewrite.substring(i, e);
        if (rewrite.startsWith("...", e)) {
          e += 3;
        }
        parts.add(hole);
        i = e;
      } else {
        text.append(c);
        i++;
      }
    }
    if (!text.isEmpty()) {
      parts.add(text.toString());
    }
    return List.copyOf(parts);
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
