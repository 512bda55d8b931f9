package dev.rocport.commandline;

import dev.rocport.commandline.NvccTables.Flag;
import dev.rocport.commandline.ToolCommand.Mode;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses nvcc command lines; each flag is a row of a table. */
public final class NvccParser {
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
        draft.problems.add("unknown nvcc flag " + flag);
      }
    }
    return draft.finish();
  }

  private void next(String word) {
    NvccArgument argument = NvccArgument.of(word, rest.peekFirst());
    if (argument.words() > 1) {
      rest.removeFirst();
    }
    if (argument.missing()) {
      draft.problems.add(word + " needs a value");
    } else if (argument.flag().isPresent()) {
      apply(argument.flag().get(), argument.spelled(), argument.value());
    } else if (word.startsWith("-") && !word.equals("-")) {
      unknown.add(word);
    } else {
      inputs.add(word);
    }
  }

  private void apply(Flag flag, String spelled, String value) {
    switch (flag.action()) {
      case "drop" -> {}
      case "note" ->
          draft.notes.add((spelled + " " + value).strip() + " is left out: " + flag.reason());
      case "refuse" -> draft.problems.add(spelled + ": " + flag.reason());
      case "pass", "standard", "switch", "stream" -> draft.compile.addAll(HipWords.of(flag, value));
      case "link", "library-path" -> draft.link.addAll(HipWords.of(flag, value));
      case "mode" -> mode(flag.detail());
      case "depend" -> depend(flag.detail(), value);
      case "output" -> draft.output = Optional.of(value);
      case "output-folder" -> draft.folder = value;
      case "include" -> HipWords.values(flag, value).forEach(v -> include(flag.detail(), v));
      case "library" -> HipWords.split(value).forEach(draft::library);
      case "relocatable" -> draft.relocatable = !value.equals("false");
      case "language" -> language(value);
      case "optimize" -> {
        draft.optimised = true;
        draft.compile.addAll(HipWords.of(flag, value));
      }
      case "host" -> host(HipWords.of(flag, value));
      case "forward" -> forward = true;
      case "options-file" -> HipWords.split(value).forEach(this::optionsFile);
      case "query" -> draft.mode = Optional.of(Mode.QUERY);
      default -> throw new IllegalStateException("unknown action: " + flag.action());
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

  private void include(String flag, String folder) {
    if (CudaHeaders.areIn(directory, folder)) {
      return;
    }
    draft.compile.addAll(HipWords.include(flag, folder));
  }

  private void language(String value) {
    switch (value) {
      case "cu" -> draft.language = "hip";
      case "c", "c++" -> draft.language = value;
      default -> draft.problems.add("-x " + value + " is not an nvcc language");
    }
  }

  private void host(List<String> words) {
    for (String word : words) {
      if (word.startsWith("-Wl,")) {
        draft.link.add(word);
        continue;
      }
      draft.compile.add(word);
      if (HostFlags.isForBoth(word)) {
        draft.link.add(word);
      }
      draft.optimised |= word.startsWith("-O");
    }
  }

  private void optionsFile(String name) {
    if (++optionFiles > 16) {
      draft.problems.add("these option files include each other");
      return;
    }
    Optional<Path> file = PathText.named(directory, name);
    try {
      if (file.isPresent()) {
        List<String> words = HipWords.words(Files.readString(file.get()));
        words.reversed().forEach(rest::addFirst);
        return;
      }
    } catch (IOException e) {
      // An invalid file name is reported like an unreadable file.
    }
    draft.problems.add("option file " + name + " cannot be read");
  }
}
