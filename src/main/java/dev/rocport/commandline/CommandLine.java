package dev.rocport.commandline;

import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Splits command lines as shells and build tools write them. */
public final class CommandLine {
  /** Response files in response files. */
  private static final int DEEPEST = 8;

  private static final Pattern CXX_DRIVER =
      Pattern.compile("(?:.*-)?(?:[gc]|clang)\\+\\+(?:-[\\d.]+)?");

  private CommandLine() {}

  /** Parses a command line with the syntax of the program that it calls. */
  public static ToolCommand parse(String program, List<String> arguments, Path directory) {
    if (program.equals("nvcc")) {
      return NvccParser.parse(arguments, directory);
    }
    List<String> words = expanded(arguments, directory, 0);
    ToolCommand command = HostParser.parse(words, directory, program.equals("hipcc"));
    return CXX_DRIVER.matcher(program).matches() ? command.asCxx() : command;
  }

  /** Replaces response files, {@code @file}, with their words; keeps unreadable ones. */
  private static List<String> expanded(List<String> arguments, Path directory, int depth) {
    List<String> words = new ArrayList<>();
    for (String a : arguments) {
      Optional<Path> file =
          a.startsWith("@") ? PathText.named(directory, a.substring(1)) : Optional.empty();
      if (depth > DEEPEST || file.filter(Files::isRegularFile).isEmpty()) {
        words.add(a);
        continue;
      }
      try {
        words.addAll(expanded(words(Files.readString(file.get())), directory, depth + 1));
      } catch (IOException e) {
        words.add(a);
      }
    }
    return words;
  }

  /** Splits a line to words, with quotes and backslashes resolved as in a shell. */
  public static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean open = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
        open = true;
      } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote == 0 ? c : 0;
        open = true;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (open) {
          words.add(word.toString());
        }
        word.setLength(0);
        open = false;
      } else {
        word.append(c);
        open = true;
      }
    }
    if (open) {
      words.add(word.toString());
    }
    return words;
  }
}
