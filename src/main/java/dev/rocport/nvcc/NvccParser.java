package dev.rocport.nvcc;

import dev.rocport.nvcc.NvccTables.Flag;
import dev.rocport.nvcc.NvccTables.Value;
import dev.rocport.nvcc.ToolCommand.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads nvcc's command lines; each flag is a row of a table. */
public final class NvccParser {
  private static final String OUTSIDE_QUOTES = ",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)";

  private final Path directory;
  private final Deque<String> rest = new ArrayDeque<>();
  private final CommandDraft draft = new CommandDraft();
  private final List<String> unknown = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private boolean forward;
  private int optionFiles;

  private NvccParser(Path directory) {
    this.directory = directory;
  }

  /**
   * Reads one command line.
   *
   * @param args without the program's name
   * @param directory where the command runs, for option files
   */
  public static ToolCommand parse(List<String> args, Path directory) {
    NvccParser parser = new NvccParser(directory);
    parser.rest.addAll(args);
    while (!parser.rest.isEmpty()) {
      parser.next(parser.rest.removeFirst());
    }
    return parser.finish();
  }

  private ToolCommand finish() {
    inputs.forEach(draft::input);
    for (String flag : unknown) {
      if (forward) {
        draft.compile.add(flag);
        draft.link.add(flag);
      } else {
        draft.problems.add("nvcc has no flag " + flag);
      }
    }
    return draft.finish();
  }

  private void next(String arg) {
    if (!arg.startsWith("-") || arg.equals("-")) {
      inputs.add(arg);
      return;
    }
    int equals = arg.indexOf('=');
    String name = equals < 0 ? arg : arg.substring(0, equals);
    Optional<Flag> exact = NvccTables.flag(name);
    if (exact.isPresent() && (equals < 0 || exact.get().value() != Value.NONE)) {
      Flag flag = exact.get();
      if (flag.value() == Value.NONE) {
        apply(flag, arg, "");
      } else if (equals >= 0) {
        apply(flag, name, arg.substring(equals + 1));
      } else if (flag.value() == Value.BOOL && !isBool(rest.peekFirst())) {
        apply(flag, name, "true");
      } else if (flag.action().equals("optimize") && !isLevel(rest.peekFirst())) {
        apply(flag, name, "");
      } else if (rest.isEmpty()) {
        draft.problems.add(arg + " needs a value");
      } else {
        apply(flag, name, rest.removeFirst());
      }
      return;
    }
    for (Flag flag : NvccTables.flags()) {
      String prefix = "-" + flag.shortName();
      if (flag.value() == Value.JOINED
          && flag.shortName().length() == 1
          && arg.startsWith(prefix)
          && !arg.startsWith("--")) {
        apply(flag, prefix, arg.substring(prefix.length()));
        return;
      }
    }
    unknown.add(arg);
  }

  private static boolean isBool(@Nullable String word) {
    return word != null && (word.equals("true") || word.equals("false"));
  }

  private static boolean isLevel(@Nullable String word) {
    return word != null && word.matches("[0-3s]|max|min|fast");
  }

  private void apply(Flag flag, String spelled, String value) {
    switch (flag.action()) {
      case "drop" -> {}
      case "note" ->
          draft.notes.add((spelled + " " + value).strip() + " is left out: " + flag.reason());
      case "refuse" -> draft.problems.add(spelled + ": " + flag.reason());
      case "pass" -> pass(flag, value, draft.compile);
      case "link" -> pass(flag, value, draft.link);
      case "mode" -> mode(flag.detail());
      case "depend" -> depend(flag.detail(), value);
      case "output" -> draft.output = Optional.of(value);
      case "output-folder" -> draft.folder = value;
      case "include" -> values(flag, value).forEach(v -> include(flag.detail(), v));
      case "library" -> split(value).forEach(draft::library);
      case "library-path" -> split(value).forEach(v -> draft.link.add("-L" + v));
      case "relocatable" -> draft.relocatable = !value.equals("false");
      case "language" -> language(value);
      case "standard" -> draft.compile.add("-std=" + value);
      case "optimize" -> {
        draft.optimised = true;
        draft.compile.add("-O" + level(value));
      }
      case "host" -> hostFlags(value);
      case "forward" -> forward = true;
      case "switch" -> toggle(flag.detail(), value);
      case "stream" -> {
        if (value.equals("per-thread")) {
          draft.compile.add("-fgpu-default-stream=per-thread");
        }
      }
      case "options-file" -> split(value).forEach(this::optionsFile);
      case "query" -> draft.mode = Optional.of(Mode.QUERY);
      default -> throw new IllegalStateException("no such action: " + flag.action());
    }
  }

  private static void pass(Flag flag, String value, List<String> to) {
    for (String one : flag.value() == Value.NONE ? List.of("") : values(flag, value)) {
      for (String word : flag.detail().split(" ")) {
        to.add(word.replace("{}", one));
      }
    }
  }

  private void mode(String detail) {
    if (detail.equals("compile-relocatable")) {
      draft.relocatable = true;
    }
    draft.mode =
        Optional.of(
            detail.startsWith("compile")
                ? Mode.COMPILE
                : Mode.valueOf(detail.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  private void depend(String detail, String value) {
    draft.dependencies =
        switch (detail) {
          case "all" -> draft.dependencies.asWanted(false);
          case "own" -> draft.dependencies.asWanted(true);
          case "file" -> draft.dependencies.withFile(value);
          case "target" -> draft.dependencies.withTarget(value);
          default -> draft.dependencies.withPhony();
        };
  }

  /** CUDA's own headers must not get between the ported code and HIP's. */
  private void include(String flag, String folder) {
    if (Files.exists(directory.resolve(folder).resolve("cuda_runtime.h"))) {
      return;
    }
    draft.compile.addAll(flag.equals("-I") ? List.of("-I" + folder) : List.of(flag, folder));
  }

  private void language(String value) {
    switch (value) {
      case "cu" -> draft.language = "hip";
      case "c", "c++" -> draft.language = value;
      default -> draft.problems.add("-x " + value + " is not a language of nvcc");
    }
  }

  private static String level(String value) {
    return switch (value) {
      case "" -> "2";
      case "max" -> "3";
      case "min" -> "1";
      case "fast" -> "3";
      default -> value;
    };
  }

  private void hostFlags(String value) {
    for (String flag : split(value)) {
      if (flag.startsWith("-Wl,")) {
        draft.link.add(flag);
      } else if (flag.startsWith("-m") || flag.startsWith("/")) {
        // CPU flags would be wrong for the GPU; those with a slash are another compiler's.
        if (flag.startsWith("-m")) {
          draft.compile.addAll(List.of("-Xarch_host", flag));
        }
      } else {
        draft.compile.add(flag);
        if (HostFlags.isForBoth(flag)) {
          draft.link.add(flag);
        }
      }
      draft.optimised |= flag.startsWith("-O");
    }
  }

  private void toggle(String detail, String value) {
    int bar = detail.indexOf('|');
    String flag = value.equals("false") ? detail.substring(bar + 1) : detail.substring(0, bar);
    if (!flag.isEmpty()) {
      draft.compile.add(flag);
    }
  }

  private void optionsFile(String name) {
    try {
      if (++optionFiles > 16) {
        draft.problems.add("option files include each other");
        return;
      }
      List<String> words = words(Files.readString(directory.resolve(name)));
      words.reversed().forEach(rest::addFirst);
    } catch (IOException e) {
      draft.problems.add("option file " + name + " cannot be read");
    }
  }

  private static Collection<String> values(Flag flag, String value) {
    return flag.value() == Value.LIST
            || flag.value() == Value.JOINED
            || flag.action().equals("include")
        ? commas(value)
        : List.of(value);
  }

  /** Parts at commas, but not inside of quotes, which stay: they belong to a macro's value. */
  private static List<String> commas(String value) {
    List<String> parts = new ArrayList<>(List.of(value.split(OUTSIDE_QUOTES)));
    parts.removeIf(String::isEmpty);
    return parts;
  }

  /** Parts at commas and blanks, but not inside of quotes. */
  static List<String> split(String value) {
    return words(value.replaceAll(OUTSIDE_QUOTES, " "));
  }

  private static List<String> words(String text) {
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
