package dev.rocport.verify.matrix;

import dev.rocport.io.process.ShellWord;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The script of a Slurm array job that runs the cells of a matrix. */
public final class SlurmScript {
  /** The largest array that Slurm takes without other settings: {@code MaxArraySize} is 1001. */
  private static final int MOST_TASKS = 1000;

  private SlurmScript() {}

  /**
   * Writes the script.
   *
   * @param launcher the command of rocport
   * @param folder of the results, as an absolute path that all machines have
   * @throws IOException if Slurm cannot take the path, or the writer fails
   */
  public static void write(Matrix matrix, Path launcher, MatrixFolder folder, Writer out)
      throws IOException {
    int tasks = Math.min(matrix.cells().size(), MOST_TASKS);
    List<String> lines = new ArrayList<>();
    lines.add("#!/bin/bash");
    lines.add("#SBATCH --job-name=rocport-verify");
    lines.add("#SBATCH --array=0-" + (tasks - 1));
    lines.add("#SBATCH --output=\"" + pattern(folder.logs()) + "/%a.txt\"");
    lines.add(
        "# Each task runs the cells whose numbers have its remainder; those that have a result are"
            + " left out.");
    lines.add("set -eu");
    lines.add("cd " + ShellWord.of(matrix.folder()));
    lines.add("cells=(");
    matrix.spread().forEach(c -> lines.add("  " + ShellWord.of(c.id())));
    lines.add(")");
    lines.add("mine=()");
    lines.add("for ((i = SLURM_ARRAY_TASK_ID; i < ${#cells[@]}; i += " + tasks + ")); do");
    lines.add("  mine+=(--cell \"${cells[i]}\")");
    lines.add("done");
    StringBuilder command = new StringBuilder("exec ").append(ShellWord.of(launcher.toString()));
    command.append(" verify");
    matrix.arguments().forEach(a -> command.append(' ').append(ShellWord.of(a)));
    command.append(" --quiet --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --cells ");
    command.append(ShellWord.of(folder.root().toString())).append(" \"${mine[@]}\"");
    lines.add(command.toString());
    for (String line : lines) {
      out.write(line + "\n");
    }
  }

  /** A path in a pattern of Slurm, which has no escape for quotes and line ends. */
  private static String pattern(Path path) throws IOException {
    String text = path.toString();
    if (text.chars().anyMatch(c -> c == '"' || c == '\\' || Character.isISOControl(c))) {
      throw new IOException(
          "--cells: a script for Slurm cannot contain a path with quotes, backslashes or control"
              + " characters: "
              + path);
    }
    return text.replace("%", "%%");
  }
}
