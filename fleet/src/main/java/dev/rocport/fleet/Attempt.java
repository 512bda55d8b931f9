package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
