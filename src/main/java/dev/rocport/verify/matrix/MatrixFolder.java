package dev.rocport.verify.matrix;

import dev.rocport.io.AtomicFile;
import dev.rocport.io.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The folder of a matrix, which all machines share.
 *
 * <pre>
 * matrix.json        the cells
 * results/ID.json    what a cell showed
 * failures/ID.txt    why a cell has no result
 * builds/KEY         a ported and built tree
 * logs               what array jobs print
 * </pre>
 *
 * @param root may be missing
 */
public record MatrixFolder(Path root) {
  private static final String JSON = ".json";

  /** The cells that belong here, if they are known. */
  public Optional<Matrix> matrix() throws IOException {
    Path file = root.resolve("matrix.json");
    return Files.exists(file) ? Optional.of(Matrix.read(file)) : Optional.empty();
  }

  /**
   * Notes the cells that belong here.
   *
   * @throws IOException if the folder belongs to other cells, or cannot be written
   */
  public void begin(Matrix matrix) throws IOException {
    Optional<Matrix> before = matrix();
    if (before.isPresent() && !before.get().folder().equals(matrix.folder())) {
      throw other();
    }
    require(matrix);
    AtomicFile.write(root.resolve("matrix.json"), matrix::write);
    Files.createDirectories(logs());
  }

  /**
   * Checks that the folder does not belong to other cells.
   *
   * @throws IOException if it does
   */
  public void require(Matrix matrix) throws IOException {
    Optional<Matrix> before = matrix();
    if (before.isPresent()
        && !(before.get().arguments().equals(matrix.arguments())
            && before.get().cells().equals(matrix.cells()))) {
      throw other();
    }
  }

  private IOException other() {
    return new IOException(
        root + ": belongs to a verification with other arguments or programs; use another folder");
  }

  public Path builds() {
    return root.resolve("builds");
  }

  public Path logs() {
    return root.resolve("logs");
  }

  private Path result(MatrixCell cell) {
    return root.resolve("results").resolve(cell.id() + JSON);
  }

  private Path failure(MatrixCell cell) {
    return root.resolve("failures").resolve(cell.id() + ".txt");
  }

  /** The result of a cell, if it has one that was made from the same input; another is deleted. */
  public Optional<MatrixResult> result(MatrixCell cell, ResultKey key) throws IOException {
    Path file = result(cell);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    MatrixResult result = MatrixResult.read(file);
    if (result.key().equals(key)) {
      return Optional.of(result);
    }
    Files.delete(file);
    return Optional.empty();
  }

  /** All results. */
  public List<MatrixResult> results() throws IOException {
    List<MatrixResult> results = new ArrayList<>();
    for (Path file : Folders.list(root.resolve("results"))) {
      // Others are being written.
      if (file.toString().endsWith(JSON)) {
        results.add(MatrixResult.read(file));
      }
    }
    return results;
  }

  /** Writes the result of a cell. */
  public void put(MatrixResult result) throws IOException {
    AtomicFile.write(result(result.cell()), result::write);
    Files.deleteIfExists(failure(result.cell()));
  }

  /** Notes why a cell has no result; an older one is deleted. */
  public void fail(MatrixCell cell, String reason) throws IOException {
    Files.deleteIfExists(result(cell));
    AtomicFile.write(failure(cell), out -> out.write(reason + "\n"));
  }

  /** Why a cell has no result, if that is known. */
  public Optional<String> reason(MatrixCell cell) throws IOException {
    Path file = failure(cell);
    return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
  }
}
