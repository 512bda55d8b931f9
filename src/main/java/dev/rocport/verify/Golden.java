package dev.rocport.verify;

import dev.rocport.io.PathText;
import dev.rocport.io.Sha256;
import dev.rocport.io.YamlFile;
import dev.rocport.verify.tensor.TensorFile;
import dev.rocport.verify.tensor.XzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The recordings of a fixture: {@code golden/} next to its sources. Each run has a folder there
 * with tensors ({@code *.safetensors}, also compressed as {@code *.safetensors.xz}), {@code files/}
 * and {@code checks.tsv}; {@code provenance.yaml} records their origin.
 */
final class Golden {
  static final String CHECKS = "checks.tsv";
  static final String FILES = "files";
  static final String PROVENANCE = "provenance.yaml";
  static final String TENSORS = ".safetensors";

  private final Fixture fixture;

  Golden(Fixture fixture) {
    this.fixture = fixture;
  }

  Path folder(RunSpec run, int ranks) {
    return fixture.golden().resolve(run.folder(ranks));
  }

  /** The expected output; empty where none was recorded. */
  Optional<byte[]> stdout(RunSpec run, int ranks) throws IOException {
    if (run.stdout().isEmpty()) {
      return Optional.empty();
    }
    return bytes(fixture.folder().resolve(run.stdout().get().replace("{np}", ranks + "")));
  }

  Optional<byte[]> file(RunSpec run, int ranks, String path) throws IOException {
    return bytes(folder(run, ranks).resolve(FILES).resolve(path));
  }

  private static Optional<byte[]> bytes(Path file) throws IOException {
    return Files.isRegularFile(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
  }

  /** The recorded tensors by file name. */
  SortedMap<String, TensorFile> tensors(RunSpec run, int ranks) throws IOException {
    return tensors(folder(run, ranks));
  }

  /** The tensors in a folder by file name, without the ending of compressed files. */
  static SortedMap<String, TensorFile> tensors(Path folder) throws IOException {
    SortedMap<String, TensorFile> tensors = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          String name = unpacked(file.getFileName() + "");
          if (name.endsWith(TENSORS)) {
            tensors.put(name, TensorFile.read(file));
          }
        }
      }
    }
    return tensors;
  }

  private static String unpacked(String name) {
    return name.endsWith(TENSORS + XzFile.ENDING)
        ? name.substring(0, name.length() - XzFile.ENDING.length())
        : name;
  }

  /** The recorded rows of checks; empty where none were. */
  List<CheckRow> rows(RunSpec run, int ranks) throws IOException, VerifyException {
    return rows(folder(run, ranks));
  }

  /** The rows of {@code checks.tsv} and those of all ranks. */
  static List<CheckRow> rows(Path folder) throws IOException, VerifyException {
    List<CheckRow> rows = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file :
            files
                .filter(f -> (f.getFileName() + "").matches("checks\\.tsv(\\.rank\\d+)?"))
                .sorted()
                .toList()) {
          rows.addAll(CheckRow.read(file));
        }
      }
    }
    return rows;
  }

  /** What does not fit between the recordings, their provenance and the sources as they are now. */
  List<Problem> problems() throws IOException {
    Path file = fixture.golden().resolve(PROVENANCE);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    JsonNode node = YamlFile.read(file);
    List<Problem> problems = new ArrayList<>();
    Path stdout = fixture.golden().resolve("stdout.txt");
    String hash = node.path("stdout_sha256").asString("");
    if (!hash.isEmpty() && Files.isRegularFile(stdout) && !Sha256.of(stdout).equals(hash)) {
      problems.add(
          new Problem(
              Problem.STALE, "golden/stdout.txt differs from what was recorded: wrong hash"));
    }
    for (Map.Entry<String, JsonNode> e : node.path("files_sha256").properties()) {
      if (!isStill(fixture.golden(), e)) {
        problems.add(
            new Problem(
                Problem.STALE,
                "golden/" + e.getKey() + " is missing or differs from what was recorded"));
      }
    }
    List<String> changed = new ArrayList<>();
    for (Map.Entry<String, JsonNode> e : node.path("sources_sha256").properties()) {
      // The description says how to verify, which changes nothing of what the program computes.
      if (!e.getKey().equals(Fixture.FILE) && !isStill(fixture.folder(), e)) {
        changed.add(e.getKey());
      }
    }
    if (!changed.isEmpty()) {
      problems.add(
          new Problem(
              Problem.STALE, "sources changed since the recording: " + String.join(", ", changed)));
    }
    return problems;
  }

  /**
   * Whether a file below a folder, or what it is when it is unpacked, has the hash of its
   * recording.
   *
   * @param recorded its name, and its hash
   */
  static boolean isStill(Path folder, Map.Entry<String, JsonNode> recorded) throws IOException {
    Optional<Path> file =
        PathText.normalized(folder, recorded.getKey()).filter(f -> f.startsWith(folder));
    if (file.isEmpty()) {
      return false;
    }
    String hash = recorded.getValue().asString("");
    Path packed = file.get().resolveSibling(file.get().getFileName() + XzFile.ENDING);
    if (Files.isRegularFile(file.get())) {
      return Sha256.of(file.get()).equals(hash);
    }
    return Files.isRegularFile(packed) && Sha256.of(XzFile.read(packed)).equals(hash);
  }
}
