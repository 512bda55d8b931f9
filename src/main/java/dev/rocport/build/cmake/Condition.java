package dev.rocport.build.cmake;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The condition of an {@code if}. */
final class Condition {
  private final Call call;
  private final Scope scope;
  private final Path folder;
  private final Predicate<String> isTarget;
  private final Predicate<String> isCommand;
  private final List<Call.Argument> words = new ArrayList<>();
  private int at;

  /**
   * @param folder for relative file names
   */
  Condition(
      Call call,
      Scope scope,
      Path folder,
      Predicate<String> isTarget,
      Predicate<String> isCommand) {
    this.call = call;
    this.scope = scope;
    this.folder = folder;
    this.isTarget = isTarget;
    this.isCommand = isCommand;
    for (Call.Argument a : call.arguments()) {
      if (a.literal()) {
        words.add(a);
      } else if (a.quoted()) {
        words.add(new Call.Argument(scope.expand(a.text()), true, false));
      } else {
        Scope.split(scope.expand(a.text()))
            .forEach(t -> words.add(new Call.Argument(t, false, false)));
      }
    }
  }

  boolean holds() throws CMakeException {
    boolean value = or();
    if (at < words.size()) {
      throw call.unsupported("the condition at '" + words.get(at).text() + "'");
    }
    return value;
  }

  private boolean or() throws CMakeException {
    boolean value = and();
    while (takes("OR")) {
      boolean right = and();
      value = value || right;
    }
    return value;
  }

  private boolean and() throws CMakeException {
    boolean value = not();
    while (takes("AND")) {
      boolean right = not();
      value = value && right;
    }
    return value;
  }

  private boolean not() throws CMakeException {
    return takes("NOT") ? !not() : term();
  }

  private boolean term() throws CMakeException {
    if (at >= words.size()) {
      throw call.error("a condition is missing");
    }
    Call.Argument first = words.get(at++);
    if (first.literal() && first.text().equals("(")) {
      boolean value = or();
      if (at >= words.size() || !words.get(at++).text().equals(")")) {
        throw call.error("')' is missing in the condition");
      }
      return value;
    }
    if (!first.quoted() && at < words.size() && !isOperator(words.get(at))) {
      String operand = words.get(at).text();
      switch (first.text()) {
        case "DEFINED" -> {
          at++;
          return operand.startsWith("ENV{")
              ? System.getenv(operand.substring(4, operand.length() - 1)) != null
              : scope.find(operand.replaceFirst("^CACHE\\{(.*)}$", "$1")) != null;
        }
        case "TARGET" -> {
          at++;
          return isTarget.test(operand);
        }
        case "COMMAND" -> {
          at++;
          return isCommand.test(operand);
        }
        case "POLICY" -> {
          at++;
          return true;
        }
        case "EXISTS" -> {
          at++;
          return Files.exists(folder.resolve(operand));
        }
        case "IS_DIRECTORY" -> {
          at++;
          return Files.isDirectory(folder.resolve(operand));
        }
        default -> {}
      }
    }
    if (at < words.size() && isOperator(words.get(at))) {
      String operator = words.get(at++).text();
      if (at >= words.size()) {
        throw call.error(operator + " needs a right side");
      }
      return compare(value(first), operator, words.get(at++));
    }
    return truth(first);
  }

  private static boolean isOperator(Call.Argument word) {
    return !word.quoted()
        && word.text()
            .matches(
                "(?:STR|VERSION_)?(?:LESS|GREATER|EQUAL|LESS_EQUAL|GREATER_EQUAL)|MATCHES|IN_LIST");
  }

  private boolean compare(String left, String operator, Call.Argument word) throws CMakeException {
    String right = value(word);
    switch (operator) {
      case "MATCHES" -> {
        try {
          return Pattern.compile(word.text()).matcher(left).find();
        } catch (PatternSyntaxException e) {
          throw call.unsupported("the expression " + word.text());
        }
      }
      case "IN_LIST" -> {
        return scope.list(word.text()).contains(left);
      }
      default -> {}
    }
    int order;
    if (operator.startsWith("VERSION_")) {
      order = Versions.compare(left, right);
    } else if (operator.startsWith("STR")) {
      order = left.compareTo(right);
    } else {
      try {
        order = Double.compare(Double.parseDouble(left), Double.parseDouble(right));
      } catch (NumberFormatException e) {
        return false;
      }
    }
    String relation = operator.replaceFirst("^(?:VERSION_|STR)", "");
    return switch (relation) {
      case "LESS" -> order < 0;
      case "GREATER" -> order > 0;
      case "LESS_EQUAL" -> order <= 0;
      case "GREATER_EQUAL" -> order >= 0;
      default -> order == 0;
    };
  }

  /** An unquoted word that names a variable stands for its value. */
  private String value(Call.Argument word) {
    String held = word.quoted() ? null : scope.find(word.text());
    return held == null ? word.text() : held;
  }

  private boolean truth(Call.Argument word) {
    String text = word.text();
    if (Scope.isTrue(text)) {
      return true;
    }
    if (word.quoted() || Scope.isFalse(text)) {
      return false;
    }
    String held = scope.find(text);
    return held != null && !Scope.isFalse(held);
  }

  private boolean takes(String keyword) {
    if (at < words.size() && !words.get(at).quoted() && words.get(at).text().equals(keyword)) {
      at++;
      return true;
    }
    return false;
  }
}
