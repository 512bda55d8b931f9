package dev.rocport.commandline;

import dev.rocport.commandline.NvccTables.Flag;
import dev.rocport.commandline.NvccTables.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Translates an nvcc flag with its value to clang flags, for both readers of nvcc command lines.
 */
final class HipWords {
  private static final String OUTSIDE_QUOTES = ",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)";

  private HipWords() {}

  /** Returns the words for flags that clang also has; none for other flags. */
  static List<String> of(Flag flag, String value) {
    return switch (flag.action()) {
      case "pass", "link" -> pass(flag, value);
      case "include" ->
          values(flag, value).stream().flatMap(v -> include(flag.detail(), v).stream()).toList();
      case "library-path" -> split(value).stream().map(v -> "-L" + v).toList();
      case "standard" -> List.of("-std=" + standard(value));
      case "optimize" -> List.of("-O" + level(value));
      case "host" -> host(value);
      case "switch" -> toggle(flag.detail(), value);
      case "stream" ->
          value.equals("per-thread") ? List.of("-fgpu-default-stream=per-thread") : List.of();
      default -> List.of();
    };
  }

  /** The headers of rocThrust, hipCUB and rocPRIM stop below C++14; those of CUDA once did not. */
  private static String standard(String value) {
    return switch (value) {
      case "c++11", "c++0x" -> "c++14";
      case "gnu++11", "gnu++0x" -> "gnu++14";
      default -> value;
    };
  }

  static List<String> include(String flag, String folder) {
    return flag.equals("-I") ? List.of("-I" + folder) : List.of(flag, folder);
  }

  private static List<String> pass(Flag flag, String value) {
    List<String> words = new ArrayList<>();
    for (String one : flag.value() == Value.NONE ? List.of("") : values(flag, value)) {
      for (String word : flag.detail().split(" ")) {
        words.add(word.replace("{}", one));
      }
    }
    return words;
  }

  private static List<String> host(String value) {
    List<String> words = new ArrayList<>();
    for (String flag : split(value)) {
      if (flag.startsWith("/")) {
        continue; // flags of another compiler
      }
      if (flag.equals(HostWarnings.ERRORS)) {
        continue; // clang has other warnings than the host compiler, and HIP adds some
      }
      if (flag.startsWith("-m") || flag.startsWith("-finstrument-functions")) {
        words.add("-Xarch_host"); // CPU flags are invalid for the GPU, which also has no hooks
      }
      // g++ hands the option to the linker; clang knows it only by the other name.
      words.add(flag.equals("-export-dynamic") ? "-rdynamic" : flag);
    }
    return words;
  }

  private static List<String> toggle(String detail, String value) {
    int bar = detail.indexOf('|');
    String flag = value.equals("false") ? detail.substring(bar + 1) : detail.substring(0, bar);
    return flag.isEmpty() ? List.of() : List.of(flag);
  }

  private static String level(String value) {
    return switch (value) {
      case "" -> "2";
      case "max", "fast", "4" -> "3";
      case "min" -> "1";
      default -> value;
    };
  }

  static List<String> values(Flag flag, String value) {
    return flag.value() == Value.LIST || flag.value() == Value.JOINED
        ? commas(value)
        : List.of(value);
  }

  /**
   * Splits at commas outside quotes. Quotes are kept, because they belong to the value of a macro.
   */
  static List<String> commas(String value) {
    List<String> parts = new ArrayList<>(List.of(value.split(OUTSIDE_QUOTES)));
    parts.removeIf(String::isEmpty);
    return parts;
  }

  /** Splits at commas and blanks outside quotes. */
  static List<String> split(String value) {
    return words(value.replaceAll(OUTSIDE_QUOTES, " "));
  }

  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote == 0 ? c : 0;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (!word.isEmpty()) {
          words.add(word.toString());
          word.setLength(0);
        }
      } else {
        word.append(c);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }
}
