package dev.rocport.build.cmake;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Evaluates {@code $<...>} for one language and configuration. */
final class GeneratorExpression {
  private final String language;
  private final String configuration;

  /** An expression that is not followed. */
  static final class Unknown extends Exception {
    private static final long serialVersionUID = 1L;

    Unknown(String expression) {
      super(expression);
    }
  }

  /**
   * @param language {@code CUDA}, {@code CXX} or {@code C}
   */
  GeneratorExpression(String language, String configuration) {
    this.language = language;
    this.configuration = configuration;
  }

  /** The values of a property's entries, in order; empty ones left out. */
  List<String> evaluate(List<String> entries) throws Unknown {
    // An expression with blanks in it has been taken apart into several entries.
    return Scope.split(evaluate(String.join(";", entries)));
  }

  String evaluate(String text) throws Unknown {
    int start = text.indexOf("$<");
    if (start < 0) {
      return text;
    }
    int end = closing(text, start + 2);
    if (end < 0) {
      throw new Unknown(text);
    }
    String value = expression(text.substring(start + 2, end));
    return text.substring(0, start) + value + evaluate(text.substring(end + 1));
  }

  private String expression(String body) throws Unknown {
    int colon = topColon(body);
    String head = evaluate(colon < 0 ? body : body.substring(0, colon));
    String rest = colon < 0 ? "" : body.substring(colon + 1);
    return switch (head) {
      case "0" -> "";
      case "1", "BUILD_INTERFACE" -> evaluate(rest);
      case "INSTALL_INTERFACE", "LINK_ONLY" -> head.equals("LINK_ONLY") ? evaluate(rest) : "";
      case "COMPILE_LANGUAGE" -> bool(List.of(rest.split(",")).contains(language));
      case "COMPILE_LANG_AND_ID" -> {
        List<String> parts = List.of(rest.split(","));
        String id = language.equals("CUDA") ? "NVIDIA" : "Clang";
        yield bool(parts.getFirst().equals(language) && parts.contains(id));
      }
      case "CUDA_COMPILER_ID" -> bool(List.of(rest.split(",")).contains("NVIDIA"));
      case "CXX_COMPILER_ID", "C_COMPILER_ID" -> bool(List.of(rest.split(",")).contains("Clang"));
      case "PLATFORM_ID" -> bool(rest.equals("Linux"));
      case "CONFIG" ->
          bool(
              List.of(rest.toLowerCase(Locale.ROOT).split(","))
                  .contains(configuration.toLowerCase(Locale.ROOT)));
      case "BOOL" -> bool(!Scope.isFalse(evaluate(rest)));
      case "NOT" -> bool(evaluate(rest).equals("0"));
      case "AND" -> bool(parts(rest).stream().allMatch(p -> p.equals("1")));
      case "OR" -> bool(parts(rest).contains("1"));
      case "STREQUAL" -> {
        List<String> sides = parts(rest);
        yield bool(sides.size() == 2 && sides.get(0).equals(sides.get(1)));
      }
      case "IF" -> {
        List<String> sides = parts(rest);
        yield sides.size() < 3 ? "" : sides.get(sides.getFirst().equals("1") ? 1 : 2);
      }
      case "SEMICOLON" -> ";";
      case "COMMA" -> ",";
      case "ANGLE-R" -> ">";
      default -> throw new Unknown("$<" + body + ">");
    };
  }

  private List<String> parts(String text) throws Unknown {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += text.startsWith("$<", i) ? 1 : 0;
      depth -= text.charAt(i) == '>' && depth > 0 ? 1 : 0;
      if (text.charAt(i) == ',' && depth == 0) {
        parts.add(evaluate(text.substring(from, i)));
        from = i + 1;
      }
    }
    parts.add(evaluate(text.substring(from)));
    return parts;
  }

  private static String bool(boolean value) {
    return value ? "1" : "0";
  }

  private static int closing(String text, int from) {
    int depth = 1;
    for (int i = from; i < text.length(); i++) {
      if (text.startsWith("$<", i)) {
        depth++;
        i++;
      } else if (text.charAt(i) == '>' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static int topColon(String body) {
    int depth = 0;
    for (int i = 0; i < body.length(); i++) {
      depth += body.startsWith("$<", i) ? 1 : 0;
      depth -= body.charAt(i) == '>' && depth > 0 ? 1 : 0;
      if (body.charAt(i) == ':' && depth == 0) {
        return i;
      }
    }
    return -1;
  }

  static Optional<String> unknownIn(List<String> entries) {
    GeneratorExpression any = new GeneratorExpression("CXX", "");
    try {
      any.evaluate(entries);
      return Optional.empty();
    } catch (Unknown e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
