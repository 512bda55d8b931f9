package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** What a task writes of a repository, before it appears in the output in one rename. */
final class Attempt implements AutoCloseable {
  private final Path folder;
  private final Path target;
  private TableFiles tables;

  /**
   * @param folder does not exist yet
   * @param target where the content of the folder goes
   */
  Attempt(Path folder, Path target) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.target = target;
    this.tables = new TableFiles(folder);
  }

  TableFiles tables() {
    return tables;
  }

  /** Where a ported tree goes. */
  Path tree() {
    return folder.resolve("_tree");
  }

  /**
   * Takes a SARIF report.
   *
   * @throws OutputException if it cannot be written
   */
  void add(Path sarif) {
    try {
      Files.copy(sarif, folder.resolve("report.sarif"));
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /**
   * Forgets what was written.
   *
   * @throws OutputException if the output cannot be written
   */
  void clear() {
    try {
      tables.close();
      Folders.delete(folder);
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new OutputException(e);
    }
    tables = new TableFiles(folder);
  }

  /** Writes the row of a repository without any results, and why it has none. */
  void fail(Work work, Failure failure, Origin origin) {
    clear();
    Table repositories = Table.repositories(work);
    List<Object> cells =
        new ArrayList<>(List.of(origin.name(), origin.location(), origin.team(), "failed"));
    for (Table.Column c : repositories.columns().subList(4, repositories.columns().size())) {
      cells.add(
          switch (c.name()) {
            case "milliseconds" -> (Object) origin.milliseconds();
            case "processor_milliseconds" -> (Object) origin.processor();
            case "worker_age" -> (Object) origin.age();
            default -> c.isNumber() ? (Object) 0L : "";
          });
    }
    tables.add(repositories, cells.toArray());
    tables.add(Table.FAILURES, failure.kind().label(), failure.reason());
  }

  /** Puts the repository into the output, unless it is there by now. */
  void commit() throws IOException {
    tables.close();
    try {
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another attempt may have been faster: a task that Spark started again, or one of a killed
      // driver. The JDK has no exception of its own for a folder that is not empty.
      if (!Files.exists(target)) {
        throw e;
      }
    }
  }

  /** Deletes what was not committed. */
  @Override
  public void close() throws IOException {
    tables.close();
    Folders.delete(folder);
  }
}
