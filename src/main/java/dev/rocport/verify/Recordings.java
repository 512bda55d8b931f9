package dev.rocport.verify;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.Sha256;
import dev.rocport.io.YamlFile;
import dev.rocport.verify.tensor.TensorFile;
import dev.rocport.verify.tensor.XzFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Imports what a bundle recorded on an NVIDIA machine. */
public final class Recordings {
  private static final String ROOT = "result/";
  private static final String FILES = "files_sha256";
  private static final String MANIFEST = "MANIFEST";
  private static final String FORMAT = "FORMAT";
  private static final String VERSION = "rocport-golden-result 1";

  /** Of one fixture: vectors are small by design. */
  private static final long LARGEST = 15L << 20;

  private final Path archive;
  private final SortedMap<String, byte[]> files = new TreeMap<>();

  private Recordings(Path archive) {
    this.archive = archive;
  }

  /**
   * One fixture's recordings that were taken in.
   *
   * @param files number of files
   * @param bytes of them
   */
  public record Taken(String fixture, int files, long bytes) {}

  /**
   * Checks everything in an archive, then writes it beside the fixtures.
   *
   * @param fixtures the folder with the fixtures, or one of them
   * @throws VerifyException if anything does not fit: nothing is written then
   */
  public static List<Taken> take(Path archive, Path fixtures) throws IOException, VerifyException {
    Recordings recordings = new Recordings(archive);
    recordings.open();
    List<Plan> plans = new ArrayList<>();
    for (String name : recordings.names()) {
      plans.add(recordings.plan(name, fixtures));
    }
    List<Taken> taken = new ArrayList<>();
    for (Plan plan : plans) {
      plan.write();
      long bytes = plan.files().values().stream().mapToLong(b -> b.length).sum();
      taken.add(new Taken(plan.fixture().name(), plan.files().size(), bytes));
    }
    return taken;
  }

  /** Reads the archive and holds each file against the list of hashes. */
  private void open() throws IOException, VerifyException {
    for (Map.Entry<String, byte[]> e : Archive.read(archive).files().entrySet()) {
      if (!e.getKey().startsWith(ROOT)) {
        throw wrong("'" + e.getKey() + "' does not belong in the archive");
      }
      files.put(e.getKey().substring(ROOT.length()), e.getValue());
    }
    byte[] manifest = files.remove(MANIFEST);
    byte[] format = files.get(FORMAT);
    if (manifest == null || format == null) {
      throw wrong("not the result of a bundle: expected " + MANIFEST + " and " + FORMAT);
    }
    String version = new String(format, StandardCharsets.UTF_8).strip();
    if (!version.equals(VERSION)) {
      throw wrong("has version '%s'; the supported version is '%s'".formatted(version, VERSION));
    }
    TreeSet<String> listed = new TreeSet<>();
    for (String line : new String(manifest, StandardCharsets.UTF_8).lines().toList()) {
      String[] words = line.split("  ", 2);
      byte[] content = words.length == 2 ? files.get(words[1]) : null;
      if (content == null || !listed.add(words[1])) {
        throw wrong("the list of hashes contains '" + line + "', but the archive does not");
      }
      if (!Sha256.of(content).equals(words[0])) {
        throw wrong("the hash of '" + words[1] + "' has changed since it was recorded");
      }
    }
    if (!listed.equals(files.keySet())) {
      throw wrong("contains files without a hash");
    }
    files.remove(FORMAT);
  }

  private List<String> names() {
    return files.keySet().stream()
        .map(f -> f.contains("/") ? f.substring(0, f.indexOf('/')) : f)
        .distinct()
        .toList();
  }

  /** What is to be written below a fixture. */
  private record Plan(Fixture fixture, SortedMap<String, byte[]> files) {
    void write() throws IOException {
      for (Map.Entry<String, byte[]> e : files.entrySet()) {
        Path at = fixture.folder().resolve(e.getKey()).toAbsolutePath();
        Files.createDirectories(at.resolveSibling(""));
        if (e.getKey().endsWith(Golden.TENSORS)) {
          write(at.resolveSibling(at.getFileName() + XzFile.ENDING), XzFile.pack(e.getValue()));
          // An earlier recording that is not compressed.
          Files.deleteIfExists(at);
        } else {
          write(at, e.getValue());
        }
      }
    }

    private static void write(Path at, byte[] content) throws IOException {
      Path beside = at.resolveSibling(".rocport-" + at.getFileName() + ".tmp");
      Files.write(beside, content);
      Files.move(beside, at, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Plan plan(String name, Path fixtures) throws IOException, VerifyException {
    Path folder =
        name.equals(String.valueOf(fixtures.toAbsolutePath().normalize().getFileName()))
                && Files.exists(fixtures.resolve(Fixture.FILE))
            ? fixtures
            : fixtures.resolve(name);
    if (!name.matches("[A-Za-z0-9_.-]+") || !Files.exists(folder.resolve(Fixture.FILE))) {
      throw wrong("no fixture '%s' in %s".formatted(name, fixtures));
    }
    Fixture fixture = FixtureReader.read(folder);
    byte[] provenance = files.get(name + "/" + Golden.PROVENANCE);
    if (provenance == null) {
      throw wrong(name + " has no provenance");
    }
    sources(fixture, provenance);
    SortedMap<String, byte[]> placed = new TreeMap<>();
    for (RunSpec run : fixture.runs()) {
      for (int ranks : run.ranks().isEmpty() ? List.of(0) : run.ranks()) {
        place(name, run, ranks, placed);
      }
    }
    if (placed.isEmpty()) {
      throw wrong(name + " contains no run of the fixture");
    }
    StringBuilder text = new StringBuilder(new String(provenance, StandardCharsets.UTF_8));
    text.append("\n").append(FILES).append(":\n");
    placed.forEach(
        (path, bytes) ->
            text.append("  '")
                .append(path.substring(Fixture.GOLDEN.length() + 1).replace("'", "''"))
                .append("': ")
                .append(Sha256.of(bytes))
                .append("\n"));
    placed.put(
        Fixture.GOLDEN + "/" + Golden.PROVENANCE, text.toString().getBytes(StandardCharsets.UTF_8));
    long bytes = placed.values().stream().mapToLong(b -> b.length).sum();
    if (bytes > LARGEST) {
      throw wrong(
          "%s: %d bytes exceed the limit of %d for a fixture".formatted(name, bytes, LARGEST));
    }
    return new Plan(fixture, placed);
  }

  /** The recording is of the sources as they are here. */
  private void sources(Fixture fixture, byte[] provenance) throws IOException, VerifyException {
    Path copy = Files.createTempFile("provenance", ".yaml");
    try {
      Files.write(copy, provenance);
      JsonNode node = yaml(fixture, copy);
      if (node.has(FILES)) {
        throw wrong(fixture.name() + ": the provenance already contains " + FILES);
      }
      JsonNode hashes = node.path("sources_sha256");
      if (hashes.properties().isEmpty()) {
        throw wrong(fixture.name() + ": the provenance lists no sources");
      }
      for (Map.Entry<String, JsonNode> e : hashes.properties()) {
        if (!e.getKey().equals(Fixture.FILE) && !Golden.isStill(fixture.folder().normalize(), e)) {
          throw wrong("%s: was recorded from a different %s".formatted(fixture.name(), e.getKey()));
        }
      }
    } finally {
      Files.delete(copy);
    }
  }

  private JsonNode yaml(Fixture fixture, Path copy) throws IOException, VerifyException {
    try {
      return YamlFile.read(copy);
    } catch (InvalidFileException e) {
      throw wrong(
          fixture.name()
              + ": cannot read the provenance: "
              + String.valueOf(e.getMessage()).replace(copy + ":", ""));
    }
  }

  private void place(String name, RunSpec run, int ranks, SortedMap<String, byte[]> placed)
      throws IOException, VerifyException {
    String from = name + "/" + run.folder(ranks) + "/";
    String to = Fixture.GOLDEN + "/" + run.folder(ranks) + "/";
    for (Map.Entry<String, byte[]> e : files.tailMap(from).entrySet()) {
      if (!e.getKey().startsWith(from)) {
        break;
      }
      String path = e.getKey().substring(from.length());
      if (path.equals("stdout.txt")) {
        run.stdout()
            .ifPresent(s -> placed.put(s.replace("{np}", Integer.toString(ranks)), e.getValue()));
      } else if (path.endsWith(Golden.TENSORS) || path.startsWith(Golden.CHECKS)) {
        check(e.getKey(), e.getValue());
        placed.put(to + path, e.getValue());
      } else if (path.startsWith(Golden.FILES + "/")) {
        placed.put(to + path, e.getValue());
      }
    }
  }

  /** Rejects recordings that cannot be read here. */
  private void check(String path, byte[] content) throws IOException, VerifyException {
    Path copy =
        Files.createTempFile("recording", path.endsWith(Golden.TENSORS) ? Golden.TENSORS : ".tsv");
    try {
      Files.write(copy, content);
      if (path.endsWith(Golden.TENSORS)) {
        TensorFile.read(copy);
      } else {
        CheckRow.read(copy);
      }
    } catch (IOException | VerifyException e) {
      throw wrong("'" + path + "': " + String.valueOf(e.getMessage()).replace(copy + ": ", ""));
    } finally {
      Files.delete(copy);
    }
  }

  private VerifyException wrong(String why) {
    return new VerifyException(archive + ": " + why);
  }
}
