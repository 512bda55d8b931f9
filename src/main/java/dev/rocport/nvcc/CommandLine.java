package dev.rocport.nvcc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines as shells and build tools write them. */
public final class CommandLine {
  private CommandLine() {}

  /** Reads a command line in the manner of the program that it calls. */
  public static ToolCommand parse(String program, List<String> arguments, Path directory) {
    return program.equals("nvcc")
        ? NvccParser.parse(arguments, directory)
        : HostParser.parse(arguments, directory, program.equals("hipcc"));
  }

  /** The words of a line, quotes and backslashes resolved as a shell does. */
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
