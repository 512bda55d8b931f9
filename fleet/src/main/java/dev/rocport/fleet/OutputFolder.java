package dev.rocport.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of the tables.
 *
 * <pre>
 * fleet.json                            the version, the settings, the sources of the last run
 * data/repository=KEY/findings.parquet  a file for each table that has rows
 * data/repository=KEY/report.sarif      if it was asked for
 * data/repository=KEY/_tree             the ported tree; readers of tables skip a name with this _
 * _split/KEY                            a repository that is audited in parts, {@link SplitFolder}
 * _unfinished/                          repositories that are being written
 * </pre>
 *
 * <p>A repository appears with all its tables in one rename, or not at all; the first of several
 * attempts stays.
 */
final class OutputFolder {
  /** Changes with the tables: readers of one version cannot take those of another. */
  static final int SCHEMA = 5;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PARTITION = "repository=";

  private final Path root;

  /**
   * What all repositories in a folder have in common.
   *
   * @param schema of the tables
   * @param version of rocport
   * @param command what the runs do: a {@link Work}
   * @param options of the command for each repository
   * @param repositories the keys of the last run; the folder may contain others
   */
  record Description(
      int schema, String version, String command, List<String> options, List<String> repositories) {
    Work work() {
      return Work.of(command);
    }
  }

  OutputFolder(Path root) {
    this.root = root;
  }

  Path data() {
    return root.resolve("data");
  }

  private Path unfinished() {
    return root.resolve("_unfinished");
  }

  private Path splits() {
    return root.resolve("_split");
  }

  private Path description() {
    return root.resolve("fleet.json");
  }

  /**
   * Makes the folder, or checks that it belongs to the same version and settings.
   *
   * @throws FleetException if it does not, or cannot be written
   */
  void open(Description wanted) throws FleetException {
    try {
      if (Files.exists(description())) {
        requireSame(wanted, describe());
      } else if (Files.isDirectory(root) && !isEmpty(root)) {
        throw new FleetException(root + ": not empty, and not the output of a fleet");
      }
      Files.createDirectories(data());
      Folders.delete(unfinished());
      Files.createDirectories(unfinished());
      Path file = unfinished().resolve("fleet.json");
      JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), wanted);
      Files.move(file, description(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new FleetException("cannot write " + root + ": " + Folders.reason(e), e);
    }
  }

  /**
   * Returns the description of a folder with tables.
   *
   * @throws FleetException if it is none, or of another version of the tables
   */
  Description describe() throws FleetException {
    Description found;
    try {
      found = JSON.readValue(description().toFile(), Description.class);
    } catch (JsonProcessingException e) {
      throw new FleetException(description() + ": damaged", e);
    } catch (IOException e) {
      throw new FleetException(root + ": not the output of a fleet", e);
    }
    if (found.schema() != SCHEMA) {
      throw new FleetException(
          "%s: has tables of version %d; this rocport reads version %d"
              .formatted(root, found.schema(), SCHEMA));
    }
    return found;
  }

  /**
   * The same.
   *
   * @throws FleetException also if the tables are those of other work
   */
  Description describe(Work work) throws FleetException {
    Description found = describe();
    if (found.work() != work) {
      throw new FleetException(
          "%s: made by 'rocport fleet %s', not '%s'"
              .formatted(root, found.command(), work.label()));
    }
    return found;
  }

  private void requireSame(Description wanted, Description found) throws FleetException {
    if (!found.version().equals(wanted.version())) {
      throw new FleetException(
          "%s: made by rocport %s, and this is %s; use another --out"
              .formatted(root, found.version(), wanted.version()));
    }
    if (!found.command().equals(wanted.command())) {
      throw new FleetException(
          "%s: made by 'rocport fleet %s', not '%s'; use another --out"
              .formatted(root, found.command(), wanted.command()));
    }
    if (!found.options().equals(wanted.options())) {
      throw new FleetException(
          "%s: made with the options '%s', not '%s'; use another --out"
              .formatted(
                  root, String.join(" ", found.options()), String.join(" ", wanted.options())));
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /** Returns the keys of the repositories that are there. */
  SortedSet<String> keys() throws IOException {
    SortedSet<String> keys = new TreeSet<>();
    if (Files.isDirectory(data())) {
      try (Stream<Path> folders = Files.list(data())) {
        folders
            .map(f -> f.getFileName().toString())
            .filter(n -> n.startsWith(PARTITION))
            .forEach(n -> keys.add(n.substring(PARTITION.length())));
      }
    }
    return keys;
  }

  /** Returns the files of a table that these repositories have. */
  List<Path> files(Table table, List<String> keys) {
    return keys.stream().map(k -> folder(k).resolve(table.file())).filter(Files::exists).toList();
  }

  /** Whether the repository is there, as a failure. */
  boolean hasFailed(String key) {
    return Files.exists(folder(key).resolve(Table.FAILURES.file()));
  }

  /** Whether the repository is there. */
  boolean has(String key) {
    return Files.exists(folder(key));
  }

  /** Takes a repository out. */
  void remove(String key) throws IOException {
    remove(folder(key));
  }

  private void remove(Path folder) throws IOException {
    Path away = fresh();
    Files.move(folder, away, StandardCopyOption.ATOMIC_MOVE);
    Folders.delete(away);
  }

  /** Returns a path for what is not complete yet. */
  private Path fresh() {
    return unfinished().resolve(UUID.randomUUID().toString());
  }

  /** Begins to write a repository. */
  Attempt attempt(String key) throws IOException {
    return new Attempt(fresh(), folder(key));
  }

  /** Returns the state of a repository that is audited in parts. */
  SplitFolder split(String key) {
    return new SplitFolder(splits().resolve(key));
  }

  /** Returns a state of the same that is not there yet, see {@link #begin}. */
  SplitFolder newSplit() throws IOException {
    return new SplitFolder(Files.createDirectories(fresh()));
  }

  /** Puts the state of a repository there, in place of another. */
  void begin(String key, SplitFolder made) throws IOException {
    Files.createDirectories(splits());
    removeSplit(key);
    try {
      Files.move(made.folder(), split(key).folder(), StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // As with Attempt.commit: another one was faster, and its state is as good.
      if (!Files.exists(split(key).folder())) {
        throw e;
      }
      Folders.delete(made.folder());
    }
  }

  /** Forgets the state of a repository that was audited in parts. */
  void removeSplit(String key) throws IOException {
    try {
      remove(split(key).folder());
    } catch (NoSuchFileException e) {
      // It was not split.
    }
  }

  /** Forgets the states of repositories that are done: a killed run may leave them. */
  void removeSplits() throws IOException {
    if (!Files.isDirectory(splits())) {
      return;
    }
    List<String> keys;
    try (Stream<Path> folders = Files.list(splits())) {
      keys = folders.map(f -> f.getFileName().toString()).sorted().toList();
    }
    for (String key : keys) {
      if (has(key) && !hasFailed(key)) {
        removeSplit(key);
      }
    }
  }

  private Path folder(String key) {
    return data().resolve(PARTITION + key);
  }
}
