package dev.rocport.buildsystem.command;

import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports references in a word: variables, functions of make, and commands whose output is used. */
final class ReferencePort {
  private final Facts facts;
  private final Syntax syntax;
  private final Passage passage;

  ReferencePort(Passage passage) {
    this.facts = passage.facts();
    this.syntax = facts.syntax();
    this.passage = passage;
  }

  /** Returns a word with its references ported. */
  String port(String word, Mode mode, Word place) {
    if (syntax == Syntax.SHELL && !word.startsWith("$(") && !word.startsWith("`")) {
      return word;
    }
    StringBuilder s = new StringBuilder();
    int i = 0;
    while (i < word.length()) {
      int end = syntax.reference(word, i);
      if (end > i) {
        s.append(reference(word.substring(i, end), mode, place));
        i = end;
      } else {
        s.append(word.charAt(i++));
      }
    }
    return s.toString();
  }

  private String reference(String reference, Mode mode, Word place) {
    if (syntax == Syntax.SHELL) {
      int from = reference.startsWith("$(") ? 2 : 1;
      return reference.charAt(0) == '$' && from == 1
          ? reference
          : reference.substring(0, from)
              + inside(reference.substring(from, reference.length() - 1), Mode.COMMANDS, place)
              + reference.substring(reference.length() - 1);
    }
    Matcher of = Pattern.compile("(?s)(\\$[({]\\s*)([\\w-]+)\\s+(.*)[)}]").matcher(reference);
    if (!of.matches()) {
      Matcher each = Pattern.compile("(?s)\\$[({]([\\w.-]+):%=(.*)%(.*)[)}]").matcher(reference);
      if (each.matches() && isForHost(each.group(2))) {
        return "$(" + each.group(1) + ")";
      }
      return isArch(reference, mode) ? passage.archOnce() : reference;
    }
    String function = of.group(2);
    List<String> arguments = arguments(of.group(3), limit(function));
    switch (function) {
      case "addprefix" -> {
        if (arguments.size() == 2 && isForHost(arguments.getFirst())) {
          return inside(arguments.get(1).strip(), Mode.OTHER, place);
        }
        if (arguments.size() == 2 && isLeftOut(arguments.getFirst())) {
          return "";
        }
      }
      case "patsubst" -> {
        if (arguments.size() == 3
            && arguments.getFirst().equals("%")
            && isForHost(arguments.get(1).replaceFirst("%.*", ""))) {
          return arguments.get(2).strip();
        }
      }
      case "foreach" -> {
        if (arguments.size() == 3
            && arguments.get(2).strip().matches("-Xcompiler[ =]?\\$[({]?\\w+[)}]?")) {
          return arguments.get(1).strip();
        }
        if (arguments.size() == 3 && mode.isForNvcc()) {
          String body = inside(arguments.get(2), mode, place);
          boolean same = !syntax.names(body).contains(arguments.getFirst().strip());
          return same && !body.equals(arguments.get(2))
              ? body.strip()
              : with(of, arguments, 2, body);
        }
        if (arguments.size() == 3) {
          String body = inside(arguments.get(2), mode, place);
          Matcher added =
              Pattern.compile("(?s)\\s*\\$\\(eval\\s+([\\w.-]+)\\s*\\+=\\s*(.*)\\)\\s*")
                  .matcher(body);
          boolean once =
              added.matches()
                  && !body.equals(arguments.get(2))
                  && added.group(2).strip().equals(syntax.reference(CommandPort.ARCH_FLAGS));
          return once
              ? "$(eval %s += %s)".formatted(added.group(1), added.group(2).strip())
              : with(of, arguments, 2, body);
        }
      }
      case "eval" -> {
        String statement = arguments.getFirst();
        Matcher a =
            Pattern.compile("(?s)(\\s*)([\\w.-]+)(\\s*[:+?]?:?=\\s*)(.*)").matcher(statement);
        if (a.matches()) {
          String value = inside(a.group(4), Mode.of(facts, a.group(2)), place);
          return of.group(1)
              + "eval "
              + a.group(1)
              + a.group(2)
              + a.group(3)
              + value
              + close(reference);
        }
      }
      case "shell" -> {
        return of.group(1)
            + "shell "
            + inside(arguments.getFirst(), Mode.COMMANDS, place)
            + close(reference);
      }
      case "if", "or", "and" -> {
        List<String> now = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
          boolean test = function.equals("if") && i == 0;
          now.add(inside(arguments.get(i), test ? Mode.OTHER : mode, place));
        }
        return of.group(1) + function + " " + String.join(",", now) + close(reference);
      }
      default -> {}
    }
    if (isArch(reference, mode)) {
      return passage.archOnce();
    }
    List<String> now = new ArrayList<>();
    boolean keeps = Set.of("strip", "sort", "filter-out", "filter").contains(function);
    for (String argument : arguments) {
      now.add(inside(argument, keeps ? mode : Mode.OTHER, place));
    }
    String between = reference.substring(0, of.start(3));
    return between + String.join(",", now) + close(reference);
  }

  private static String with(Matcher of, List<String> arguments, int n, String text) {
    List<String> now = new ArrayList<>(arguments);
    now.set(n, text);
    String whole = of.group();
    return whole.substring(0, of.start(3))
        + String.join(",", now)
        + whole.substring(whole.length() - 1);
  }

  private static String close(String reference) {
    return reference.substring(reference.length() - 1);
  }

  /** Returns whether a function only makes GPU names for nvcc. */
  private static boolean isArch(String reference, Mode mode) {
    return mode.isForNvcc()
        && FlagPort.ARCH_TEXT.matcher(reference).matches()
        && !Pattern.compile("(?<![\\w-])-(?!-?(gencode|arch|code|gpu|generate))[A-Za-z]")
            .matcher(reference)
            .find();
  }

  private static boolean isForHost(String prefix) {
    return prefix.strip().matches("--?(Xcompiler|compiler-options)[= ]?");
  }

  private static boolean isLeftOut(String prefix) {
    String flag = prefix.strip().replaceFirst("=$", "");
    List<NvccWords.Change> c = NvccWords.changes(List.of(flag, "x"));
    return flag.startsWith("-X")
        && !c.isEmpty()
        && c.getFirst().words().isEmpty()
        && c.getFirst().problem().isEmpty();
  }

  private static int limit(String function) {
    return switch (function) {
      case "shell", "eval", "strip", "sort", "info", "warning", "error", "words", "dir", "notdir" ->
          1;
      case "addprefix", "addsuffix", "filter", "filter-out", "findstring", "word", "join" -> 2;
      case "foreach", "patsubst", "subst", "if", "wordlist" -> 3;
      default -> Integer.MAX_VALUE;
    };
  }

  private List<String> arguments(String list, int limit) {
    List<String> found = new ArrayList<>();
    int start = 0;
    int i = 0;
    while (i < list.length()) {
      int end = syntax.reference(list, i);
      if (end > i) {
        i = end;
        continue;
      }
      if (list.charAt(i) == ',' && found.size() + 1 < limit) {
        found.add(list.substring(start, i));
        start = i + 1;
      }
      i++;
    }
    found.add(list.substring(start));
    return found;
  }

  /** Ports a part of a word. */
  private String inside(String part, Mode mode, Word place) {
    Passage inner = passage.part(part, place);
    new CommandPort(inner).stretch(0, part.length(), mode);
    return passage.ported(inner);
  }
}
