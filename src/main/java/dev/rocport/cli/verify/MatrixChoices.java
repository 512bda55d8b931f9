package dev.rocport.cli.verify;

import dev.rocport.cli.support.UsageException;
import dev.rocport.verify.matrix.MatrixFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a verification that several machines share. */
final class MatrixChoices {
  @Option(
      names = "--matrix",
      description =
          "Instead of a verification, print its cells as JSON: each run of a fixture with target,"
              + " ranks and order of waves.")
  private boolean matrix;

  @Option(
      names = "--cells",
      paramLabel = "DIR",
      description = "Folder of the cells' results and builds, which all machines share.")
  private @Nullable Path folder;

  @Option(
      names = "--cell",
      paramLabel = "ID",
      description = "Run this cell, and write its result to --cells; can be repeated.")
  private List<String> cells = new ArrayList<>();

  @Option(
      names = "--slurm",
      paramLabel = "FILE",
      description = "Write a script for Slurm that runs the cells as an array.")
  private @Nullable Path slurm;

  @Option(
      names = "--merge",
      description = "Instead of a verification, report the results of cells in the folders DIR.")
  private boolean merge;

  /** What a command line asks for. */
  enum Action {
    /** A verification in this process. */
    NONE,
    PRINT,
    SLURM,
    RUN,
    MERGE
  }

  /** Returns what is asked for; the options must fit together. */
  Action action() {
    long asked = Stream.of(matrix, slurm != null, !cells.isEmpty(), merge).filter(b -> b).count();
    if (asked > 1) {
      throw new UsageException("--matrix, --slurm, --cell and --merge exclude each other");
    }
    boolean needs = slurm != null || !cells.isEmpty();
    if (needs && folder == null) {
      throw new UsageException("--slurm and --cell need the folder of the results: --cells DIR");
    }
    if (!needs && folder != null) {
      throw new UsageException("--cells needs --slurm or --cell");
    }
    return matrix
        ? Action.PRINT
        : slurm != null ? Action.SLURM : merge ? Action.MERGE : needs ? Action.RUN : Action.NONE;
  }

  MatrixFolder folder() {
    if (folder == null) {
      throw new IllegalStateException("without --cells");
    }
    return new MatrixFolder(folder.toAbsolutePath().normalize());
  }

  Path slurm() {
    if (slurm == null) {
      throw new IllegalStateException("without --slurm");
    }
    return slurm;
  }

  List<String> cells() {
    return cells;
  }
}
