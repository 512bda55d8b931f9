package dev.rocport.toolchain.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the functions that preprocessed C++ declares with C linkage. Only declarations count, not
 * definitions: what a header defines needs no library.
 */
final class DeclarationScanner {
  private static final Pattern TOKEN =
      Pattern.compile(
          "#[^\n"
              + "]*|\"(?:[^\"\\\\\n"
              + "]|\\\\.)*\"|'(?:[^'\\\\\n"
              + "]|\\\\.)*'|[A-Za-z_]\\w*|[{}();=,<>]|\n");
  private static final Pattern MARKER = Pattern.compile("# \\d+ \"([^\"]*)\".*");
  private static final Set<String> SKIPPED =
      Set.of("typedef", "static", "inline", "__inline", "__inline__", "template", "using", "class");
  private static final Set<String> NOT_NAMES =
      Set.of("__attribute__", "__declspec", "__asm__", "asm", "alignas", "void", "operator");

  private final Predicate<String> wantedFile;
  private final SortedSet<String> names = new TreeSet<>();
  private final List<Boolean> linkage = new ArrayList<>();
  private final List<String> statement = new ArrayList<>();
  private boolean wanted;
  private int parens;
  private int skippedBraces;

  private DeclarationScanner(Predicate<String> wantedFile) {
    this.wantedFile = wantedFile;
  }

  /**
   * Scans a translation unit.
   *
   * @param preprocessed output of {@code clang++ -E}, with line markers
   * @param wantedFile which files' declarations count
   */
  static SortedSet<String> scan(String preprocessed, Predicate<String> wantedFile) {
    DeclarationScanner scanner = new DeclarationScanner(wantedFile);
    Matcher m = TOKEN.matcher(preprocessed);
    while (m.find()) {
      String token = m.group();
      if (token.startsWith("#")) {
        scanner.marker(token);
      } else if (!token.equals("\n")) {
        scanner.token(token);
      }
    }
    return scanner.names;
  }

  private void marker(String line) {
    Matcher m = MARKER.matcher(line);
    if (m.matches()) {
      wanted = wantedFile.test(m.group(1));
    }
  }

  private void token(String token) {
    if (skippedBraces > 0) {
      skippedBraces += token.equals("{") ? 1 : token.equals("}") ? -1 : 0;
      return;
    }
    switch (token) {
      case "{" -> open();
      case "}" -> {
        if (!linkage.isEmpty()) {
          linkage.removeLast();
        }
        statement.clear();
      }
      case ";" -> {
        if (parens == 0) {
          declaration();
          statement.clear();
        }
      }
      default -> {
        parens += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
        statement.add(token);
      }
    }
  }

  /** Linkage blocks and namespaces are entered; every other brace is skipped as a whole. */
  private void open() {
    boolean block = statement.size() == 2 && statement.getFirst().equals("extern");
    if (parens == 0 && block) {
      linkage.add(statement.get(1).equals("\"C\""));
      statement.clear();
    } else if (parens == 0 && statement.contains("namespace")) {
      linkage.add(false);
      statement.clear();
    } else {
      skippedBraces = 1;
      boolean type =
          statement.contains("struct") || statement.contains("union") || statement.contains("enum");
      if (parens == 0 && !(type && !statement.contains("("))) {
        // A function's body ends its statement; a type's is followed by its declarators.
        statement.clear();
      }
    }
  }

  private void declaration() {
    boolean single =
        statement.size() > 2
            && statement.contains("extern")
            && statement.get(statement.indexOf("extern") + 1).equals("\"C\"");
    boolean c = single || (!linkage.isEmpty() && linkage.getLast());
    if (!wanted || !c || statement.stream().anyMatch(SKIPPED::contains)) {
      return;
    }
    int depth = 0;
    for (int i = 1; i < statement.size(); i++) {
      String before = statement.get(i - 1);
      if (statement.get(i).equals("(")) {
        if (depth == 0 && isName(before)) {
          names.add(before);
          return;
        }
        depth++;
      } else if (statement.get(i).equals(")")) {
        depth--;
      } else if (statement.get(i).equals("=") && depth == 0) {
        return;
      }
    }
  }

  private static boolean isName(String token) {
    return Character.isJavaIdentifierStart(token.charAt(0)) && !NOT_NAMES.contains(token);
  }
}
