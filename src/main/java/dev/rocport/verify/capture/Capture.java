package dev.rocport.verify.capture;

import dev.rocport.io.InvalidFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A capture: a folder with {@code capture.json}, {@code data.safetensors}, {@code plans}, {@code
 * kernels}, {@code golden} and {@code given}. If the script ran on several ranks, {@code rank0},
 * {@code rank1} and so on have what belongs to one rank; they share {@code kernels}.
 *
 * @param folder with the kernels
 * @param own folder with the files of this rank
 * @param graphs names of the recorded graphs, in order
 * @param plans in order of the graphs, by target
 */
public record Capture(
    Path folder, Path own, List<String> graphs, SortedMap<String, List<Plan>> plans) {
  /** The file that makes a folder a capture. */
  public static final String FILE = "capture.json";

  /** All other files of a capture, in one archive beside it. */
  public static final String ARCHIVE = "capture.tar.xz";

  private static final int FORMAT = 1;
  static final int MOST_RANKS = 64;

  /**
   * Reads a capture.
   *
   * @param description its {@code capture.json}
   * @param folder with its other files
   * @return what each rank recorded, in order
   * @throws InvalidFileException if it makes no sense
   */
  public static List<Capture> read(Path description, Path folder) throws IOException {
    JsonNode node = json(description);
    int format = node.path("format").asInt(0);
    if (format != FORMAT) {
      throw new InvalidFileException(
          "%s: has format %d; this version of rocport reads format %d: capture again"
              .formatted(description, format, FORMAT));
    }
    List<String> graphs = new ArrayList<>();
    node.path("graphs").forEach(g -> graphs.add(g.path("name").asString("")));
    int ranks = node.path("ranks").asInt(1);
    if (ranks < 1 || ranks > MOST_RANKS) {
      throw new InvalidFileException(
          "%s: ranks must be 1 to %d, not %d".formatted(description, MOST_RANKS, ranks));
    }
    List<Capture> captures = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      Path own = ranks == 1 ? folder : folder.resolve("rank" + rank);
      captures.add(new Capture(folder, own, graphs, plans(own)));
    }
    return captures;
  }

  private static SortedMap<String, List<Plan>> plans(Path own) throws IOException {
    SortedMap<String, List<Plan>> plans = new TreeMap<>();
    for (Path target : listed(own.resolve("plans"))) {
      List<Plan> all = new ArrayList<>();
      for (Path file : listed(target)) {
        all.add(PlanReader.read(file));
      }
      plans.put(String.valueOf(target.getFileName()), List.copyOf(all));
    }
    return plans;
  }

  /**
   * The plan of a graph.
   *
   * @param graph as in {@link Plan#graph}
   */
  public Optional<Plan> plan(String target, String graph) {
    return plans.getOrDefault(target, List.of()).stream()
        .filter(p -> p.graph().equals(graph))
        .findFirst();
  }

  /** The graphs, and their choices, that have no plan for a target. */
  public List<String> missing(String target) {
    List<Plan> all = plans.getOrDefault(target, List.of());
    List<String> expected = new ArrayList<>(graphs);
    for (Plan plan : all) {
      for (int choice = 1; choice < plan.choices(); choice++) {
        expected.add(plan.graph() + ".choice" + choice);
      }
    }
    List<String> planned = all.stream().map(Plan::graph).toList();
    return expected.stream().filter(g -> !planned.contains(g)).toList();
  }

  /**
   * The contents of a JSON file.
   *
   * @throws InvalidFileException if it is not JSON
   */
  static JsonNode json(Path file) throws IOException {
    try {
      return JsonMapper.shared().readTree(Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw new InvalidFileException(file + ": not valid JSON: " + e.getOriginalMessage());
    }
  }

  private static List<Path> listed(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** The file with the elements of all inputs. */
  public Path data() {
    return own.resolve("data.safetensors");
  }
}
