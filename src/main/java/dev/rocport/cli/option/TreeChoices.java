package dev.rocport.cli.option;

import dev.rocport.cli.support.UsageException;
import dev.rocport.core.source.Globs;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The files that a command processes, and the number of threads. */
public final class TreeChoices {
  @Parameters(paramLabel = "PATH", arity = "1..*", description = "Files and folders.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--include",
      split = ",",
      paramLabel = "GLOB",
      description = "Port only the matching sources; copy other files.")
  private List<String> include = new ArrayList<>();

  @Option(
      names = "--exclude",
      split = ",",
      paramLabel = "GLOB",
      description = "Skip these files and folders.")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Threads (default: one for each core).")
  private int jobs = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--max-file",
      paramLabel = "MB",
      defaultValue = "32",
      description = "Largest source file to port, in MiB (default: ${DEFAULT-VALUE}).")
  private int maxFile;

  public List<Path> paths() {
    return paths;
  }

  public int jobs() {
    if (jobs < 1) {
      throw new UsageException("--jobs must be 1 or more, not " + jobs);
    }
    return jobs;
  }

  /** Bytes of the largest source that is ported. */
  public long maxFile() {
    if (maxFile < 1) {
      throw new UsageException("--max-file must be 1 or more, not " + maxFile);
    }
    return (long) maxFile << 20;
  }

  /** Reading a pipe may wait for ever, a device may have no end. */
  public static void requireFileOrFolder(Path path) {
    if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
      throw new UsageException(path + ": a pipe, socket or device, not a file or folder");
    }
  }

  /**
   * The files and folders given, with the globs.
   *
   * @throws UsageException if one does not exist or a glob makes no sense
   */
  public TreeSelection selection() {
    return selection(paths);
  }

  /** The same for some of them. */
  public TreeSelection selection(List<Path> some) {
    try {
      for (Path path : some) {
        requireFileOrFolder(path);
      }
      return TreeSelection.of(some).with(Globs.of(include), Globs.of(exclude));
    } catch (IOException e) {
      String path = e instanceof FileSystemException f ? f.getFile() + ": " : "";
      throw new UsageException(path + SourceTree.reason(e));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
