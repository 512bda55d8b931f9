package dev.rocport.cli.audit;

import dev.rocport.cli.support.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** An audit in parts, as {@code rocport fleet audit} starts it: one step of it. */
final class PartChoices {
  /** The steps, in their order; those with a part run once for each. */
  enum Step {
    /** Divides the tree, and prints the number of parts. */
    PLAN,
    /** Finds the facts of the sources of a part. */
    FACTS,
    /** Joins the facts. */
    JOIN,
    /** Finds the results of the files of a part. */
    FILES,
    /** Reports on all files. */
    REPORT
  }

  @Option(
      names = "--parts",
      hidden = true,
      paramLabel = "DIR",
      description = "Do one step of an audit in parts, which leaves files in this folder.")
  private @Nullable Path folder;

  @Option(names = "--step", hidden = true, description = "The step: ${COMPLETION-CANDIDATES}.")
  private Step step = Step.PLAN;

  @Option(names = "--part", hidden = true, paramLabel = "N", description = "The part, from 0.")
  private int part;

  @Option(
      names = "--part-size",
      hidden = true,
      paramLabel = "KB",
      defaultValue = "16384",
      description = "Size of the files of a part, in KiB.")
  private int size;

  @Option(
      names = "--copy",
      hidden = true,
      description = "The tree is a copy: the paths in reports start at its root.")
  private boolean copy;

  boolean isCopy() {
    return copy;
  }

  /** Returns the folder of the parts; null without {@code --parts}. */
  @Nullable Path folder() {
    return folder;
  }

  Step step() {
    return step;
  }

  int part() {
    return part;
  }

  /** Returns the bytes of the files of a part. */
  long size() {
    if (size < 1) {
      throw new UsageException("--part-size must be 1 or more, not " + size);
    }
    return (long) size << 10;
  }
}
