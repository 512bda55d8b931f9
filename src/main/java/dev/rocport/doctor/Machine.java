package dev.rocport.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The machine under examination: its files, its variables, the user's working folder. A file that
 * cannot be read counts as missing.
 *
 * @param root where its file system begins; {@code /} for this machine
 * @param environment its variables, by name
 * @param folder the working folder, absolute on that machine
 * @param opens whether a file of this machine's file system can be read and written
 */
public record Machine(
    Path root, SortedMap<String, String> environment, String folder, Predicate<Path> opens) {
  /** Files of the kernel are small; anything larger is not what it was taken for. */
  private static final int LARGEST = 1 << 20;

  private static final int MOST_ENTRIES = 10_000;

  public Machine {
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
  }

  /** This machine, as this process sees it. */
  public static Machine here() {
    return new Machine(
        Path.of("/"),
        new TreeMap<>(System.getenv()),
        Path.of("").toAbsolutePath().toString(),
        file -> Files.isReadable(file) && Files.isWritable(file));
  }

  /** The value of a variable; empty if it is not set. */
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  boolean isSet(String name) {
    return environment.containsKey(name);
  }

  /** The location of a path of that machine; empty if it is not a valid path. */
  Optional<Path> at(String path) {
    try {
      Path p = Path.of(path);
      Path absolute = p.isAbsolute() ? p : Path.of(folder).resolve(p);
      return Optional.of(root.resolve(Path.of("/").relativize(absolute.normalize())));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The path as that machine names it. */
  String name(Path file) {
    return file.startsWith(root) ? "/" + root.relativize(file) : file.toString();
  }

  boolean exists(String path) {
    return at(path).filter(Files::exists).isPresent();
  }

  boolean isFolder(String path) {
    return at(path).filter(Files::isDirectory).isPresent();
  }

  /** Whether it is there and can be read and written. */
  boolean isOpen(String path) {
    return at(path).filter(Files::exists).filter(opens).isPresent();
  }

  /** The text of a regular file, at most a megabyte; empty if it cannot be read. */
  String text(String path) {
    Optional<Path> file = at(path).filter(Files::isRegularFile);
    if (file.isEmpty()) {
      return "";
    }
    try (InputStream in = Files.newInputStream(file.get())) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Names of the entries of a folder, sorted; none if it cannot be read. */
  List<String> list(String folderPath) {
    List<String> names = new ArrayList<>();
    Optional<Path> dir = at(folderPath).filter(Files::isDirectory);
    if (dir.isEmpty()) {
      return names;
    }
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir.get())) {
      for (Path entry : stream) {
        names.add(entry.getFileName().toString());
        if (names.size() == MOST_ENTRIES) {
          break;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    Collections.sort(names);
    return names;
  }

  /** A program on the PATH, as that machine names it. */
  Optional<String> program(String name) {
    for (String entry : variable("PATH").split(":", -1)) {
      if (entry.startsWith("/")) {
        String path = (entry.endsWith("/") ? entry : entry + "/") + name;
        if (isProgram(path)) {
          return Optional.of(path);
        }
      }
    }
    return Optional.empty();
  }

  boolean isProgram(String path) {
    return at(path).filter(Files::isRegularFile).filter(Files::isExecutable).isPresent();
  }

  /** Runs one of its programs, in the root folder, with its variables. */
  ToolOutput run(List<String> command) {
    Optional<Path> program = at(command.getFirst());
    if (program.isEmpty()) {
      return ToolOutput.failed("no such program");
    }
    List<String> here = new ArrayList<>(command);
    here.set(0, program.get().toString());
    Map<String, String> variables = new TreeMap<>(environment);
    // Both would change what a short program prints, or keep it from ending.
    variables.remove("PYTHONINSPECT");
    variables.remove("PYTHONVERBOSE");
    return ToolOutput.of(here, root, variables);
  }
}
