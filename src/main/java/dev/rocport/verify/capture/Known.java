package dev.rocport.verify.capture;

import dev.rocport.io.TsvTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Differences with a known reason: {@code known.tsv} beside {@code capture.json}.
 *
 * @param differences in the order of the file
 */
public record Known(List<Difference> differences) {
  /** The file's name. */
  public static final String FILE = "known.tsv";

  private static final String HEADER = "graph\ttarget\ttensors\treason";
  private static final String ANY = "*";

  /**
   * The differences of a graph on a target.
   *
   * @param target GPU target; {@code *} for all
   * @param tensors names of all tensors that differ
   * @param reason why
   */
  public record Difference(String graph, String target, Set<String> tensors, String reason) {
    public Difference {
      tensors = Set.copyOf(tensors);
    }
  }

  public Known {
    differences = List.copyOf(differences);
  }

  /**
   * Reads the file of a capture; nothing is known where there is none.
   *
   * @throws dev.rocport.io.InvalidFileException if it is malformed
   */
  public static Known read(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return new Known(List.of());
    }
    return new Known(
        TsvTable.read(file, HEADER).rows().stream()
            .map(
                r -> new Difference(r.cell(0), r.cell(1), Set.of(r.cell(2).split(", ")), r.cell(3)))
            .toList());
  }

  /** What is known of a graph on a target. */
  public Optional<Difference> of(Plan plan) {
    return differences.stream()
        .filter(d -> d.graph().equals(plan.graph()))
        .filter(d -> d.target().equals(ANY) || d.target().equals(plan.target()))
        .findFirst();
  }
}
