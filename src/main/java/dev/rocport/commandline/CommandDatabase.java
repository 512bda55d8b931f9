package dev.rocport.commandline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads a tree's {@code compile_commands.json}, in the format of clang's JSON compilation database.
 * The file may have been generated for another location of the tree: its paths are mapped to this
 * one.
 */
public final class CommandDatabase {
  public static final String FILE = "compile_commands.json";

  private final Path root;
  private String movedFrom = "";

  /** Thrown if the file cannot be used; the message names it and gives the reason. */
  public static final class DatabaseException extends Exception {
    private static final long serialVersionUID = 1L;

    DatabaseException(String message) {
      super(message);
    }
  }

  /**
   * One command.
   *
   * @param named its source as the entry names it
   * @param path of the source below the root; empty if it is not in the tree
   * @param folder where the command runs; need not be there
   * @param program name of the compiler, without its folder
   */
  public record Entry(
      String named, Optional<String> path, Path folder, String program, ToolCommand command) {}

  private CommandDatabase(Path root) {
    this.root = root;
  }

  /** Returns the commands, in the order of the file. */
  public static List<Entry> read(Path root) throws DatabaseException, IOException {
    return new CommandDatabase(root).read();
  }

  private List<Entry> read() throws DatabaseException, IOException {
    JsonNode entries;
    try {
      entries = new ObjectMapper().readTree(Files.readAllBytes(root.resolve(FILE)));
    } catch (JacksonException e) {
      throw new DatabaseException(FILE + " is not JSON: " + e.getOriginalMessage());
    }
    if (!entries.isArray()) {
      throw new DatabaseException(FILE + " is not a list of commands");
    }
    List<Entry> found = new ArrayList<>();
    for (JsonNode entry : entries) {
      int number = found.size() + 1;
      try {
        found.add(entry(entry, number));
      } catch (JacksonException | InvalidPathException e) {
        throw new DatabaseException(
            "%s: entry %d is invalid: %s"
                .formatted(
                    FILE, number, String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
      }
    }
    return found;
  }

  private Entry entry(JsonNode entry, int number) throws DatabaseException {
    List<String> words = new ArrayList<>();
    if (entry.has("arguments")) {
      entry.get("arguments").forEach(a -> words.add(a.asString()));
    } else if (entry.has("command")) {
      words.addAll(CommandLine.words(entry.get("command").asString()));
    }
    if (words.isEmpty() || words.getFirst().isEmpty() || !entry.has("file")) {
      throw new DatabaseException("%s: entry %d has no command or no file".formatted(FILE, number));
    }
    if (words.stream().anyMatch(w -> w.indexOf('\0') >= 0)) {
      throw new DatabaseException(
          "%s: entry %d has a NUL character in its command".formatted(FILE, number));
    }
    String directory = entry.has("directory") ? entry.get("directory").asString() : "";
    String named = entry.get("file").asString();
    Optional<String> path = locate(Path.of(directory).resolve(named).normalize());
    Path folder = Path.of(move(directory));
    String program = words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
    List<String> arguments = words.subList(1, words.size()).stream().map(this::move).toList();
    ToolCommand command = CommandLine.parse(program, arguments, folder);
    return new Entry(named, path, folder, program, command);
  }

  /**
   * Returns the path of the file in this tree; also determines the original location of the tree.
   */
  private Optional<String> locate(Path file) {
    if (file.startsWith(root)) {
      String inside = root.relativize(file).toString();
      return Files.isRegularFile(file) ? Optional.of(inside) : renamed(inside);
    }
    Optional<String> best = Optional.empty();
    for (int i = file.getNameCount() - 1; i >= 0; i--) {
      String suffix = file.subpath(i, file.getNameCount()).toString();
      boolean there = Files.isRegularFile(root.resolve(suffix));
      if (there || renamed(suffix).isPresent()) {
        best = there ? Optional.of(suffix) : renamed(suffix);
        String whole = file.toString();
        movedFrom = whole.substring(0, Math.max(0, whole.length() - suffix.length() - 1));
      }
    }
    return best;
  }

  private Optional<String> renamed(String path) {
    String hip = path.replaceFirst("\\.cu$", ".hip");
    return Files.isRegularFile(root.resolve(hip)) ? Optional.of(hip) : Optional.empty();
  }

  private String move(String word) {
    return movedFrom.isEmpty()
        ? word
        : word.replaceAll(
            Pattern.quote(movedFrom) + "(?=/|$)", Matcher.quoteReplacement(root.toString()));
  }
}
