package dev.rocport.cli.port;

import dev.rocport.assess.Suppression;
import dev.rocport.assess.SuppressionFile;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.Sha256;
import dev.rocport.port.NotingTarget;
import dev.rocport.port.Target;
import dev.rocport.port.notes.Notes;
import dev.rocport.rules.PortOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** The comments that a port adds to its output. */
final class NoteChoices {
  @Option(
      names = "--annotate",
      description = {
        "Add a comment '// rocport RULE: ...' above each line that needs work or a review, in C++,"
            + " Python, CMake and makefiles."
      })
  private boolean annotate;

  @Option(
      names = "--annotate-notes",
      description = "The same, and above lines whose port has a note, such as W64-UNSURE.")
  private boolean annotateNotes;

  @Option(
      names = "--keep-original",
      description =
          "Add the original of each changed line as a comment above it, in C++ and Python.")
  private boolean keepOriginal;

  /**
   * Returns what adds the comments to the files of a target.
   *
   * @param root has the configuration with suppressions, whose findings are not open
   * @throws UsageException if the style of the port has no place for them
   */
  UnaryOperator<Target> onto(PortOptions options, Path root) {
    boolean findings = annotate || annotateNotes;
    if (!findings && !keepOriginal) {
      return target -> target;
    }
    if (options.style() == PortOptions.Style.SINGLE_SOURCE) {
      throw new UsageException(
          "--annotate and --keep-original require --style hip: in one tree for both platforms, a"
              + " file without its gates must be the original");
    }
    List<Suppression> suppressions;
    try {
      suppressions = SuppressionFile.read(root);
    } catch (IOException e) {
      throw new UsageException(SourceTree.reason(e));
    }
    Predicate<Finding> open =
        f ->
            (annotateNotes || f.disposition() != Disposition.PORTED)
                && suppressions.stream().noneMatch(s -> s.covers(f));
    StringBuilder settings = new StringBuilder().append(annotateNotes).append('\n');
    suppressions.forEach(s -> settings.append(s.rule()).append(' ').append(s.glob()).append('\n'));
    Notes.Choice choice = new Notes.Choice(findings, keepOriginal);
    String key = Sha256.fingerprint(settings.toString());
    return target -> new NotingTarget(target, choice, open, key);
  }
}
