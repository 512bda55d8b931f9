package dev.rocport.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The state of a repository that is audited in parts. It is kept between runs: a step that is done
 * is not done again.
 *
 * <pre>
 * state.json     the number of parts, and the state of the files
 * tree           the content of an archive or of a clone
 * parts          what the steps leave
 * done/STEP-N    a step that is done, and what it cost
 * </pre>
 */
record SplitFolder(Path folder) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What the parts are of.
   *
   * @param parts number of parts
   * @param tree the state of the files
   */
  record State(int parts, TreeState tree) {}

  /**
   * What a step cost.
   *
   * @param age commands that its process had run before
   */
  record Cost(String step, int part, long milliseconds, long processor, long age) {
    static Cost of(String step, int part, Origin origin) {
      return new Cost(step, part, origin.milliseconds(), origin.processor(), origin.age());
    }
  }

  /** Where what is no folder of the user is kept. */
  Path tree() {
    return folder.resolve("tree");
  }

  /** Where the steps leave what others read. */
  Path parts() {
    return folder.resolve("parts");
  }

  /** Returns the root of the repository. */
  Path root(Source source) {
    return source.kind() == Source.Kind.FOLDER ? Path.of(source.location()) : tree();
  }

  private Path stateFile() {
    return folder.resolve("state.json");
  }

  private Path done() {
    return folder.resolve("done");
  }

  /** Whether the repository was divided. */
  boolean isPlanned() {
    return Files.exists(stateFile());
  }

  State state() throws IOException {
    return JSON.readValue(stateFile().toFile(), State.class);
  }

  /** Notes the state, after all that belongs to it. */
  void begin(State state) throws IOException {
    JSON.writeValue(stateFile().toFile(), state);
  }

  /** Whether a step is done. */
  boolean isDone(String step, int part) {
    return Files.exists(done().resolve(step + "-" + part));
  }

  /** Notes that a step is done. */
  void add(Cost cost) throws IOException {
    Files.createDirectories(done());
    Path file = done().resolve(cost.step() + "-" + cost.part());
    Path written = file.resolveSibling("." + UUID.randomUUID());
    JSON.writeValue(written.toFile(), cost);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns what the steps have cost so far, in order of their names. */
  List<Cost> costs() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(done())) {
      files = all.filter(f -> !f.getFileName().toString().startsWith(".")).sorted().toList();
    }
    List<Cost> costs = new ArrayList<>();
    for (Path file : files) {
      costs.add(JSON.readValue(file.toFile(), Cost.class));
    }
    return costs;
  }
}
