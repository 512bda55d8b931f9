package dev.rocport.verify;

import dev.rocport.io.PathText;
import dev.rocport.io.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A fault to plant in ported code, to test whether the verification detects it: a text of one file
 * and its replacement.
 *
 * @param name what is wrong with it
 * @param file in the ported tree
 * @param find occurs in the file exactly once
 * @param replace the replacement
 * @param runs names of the runs to try; empty for all
 * @param on targets to try; empty for the first
 */
record Fault(
    String name, String file, String find, String replace, List<String> runs, List<String> on) {
  private static final Set<String> FIELDS =
      Set.of("name", "file", "find", "replace", "runs", "targets");

  Fault {
    runs = List.copyOf(runs);
    on = List.copyOf(on);
  }

  /**
   * Reads the faults of a file: a list.
   *
   * @throws VerifyException if it is not such a list
   */
  static List<Fault> read(Path file) throws IOException, VerifyException {
    JsonNode list = YamlFile.read(file);
    if (!list.isArray() || list.isEmpty()) {
      throw new VerifyException(file + ": expected a list of faults");
    }
    List<Fault> faults = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode n : list) {
      for (String field : n.propertyNames()) {
        if (!FIELDS.contains(field)) {
          throw new VerifyException(file + ": no such field: " + field);
        }
      }
      Fault fault =
          new Fault(
              n.path("name").asString(""),
              n.path("file").asString(""),
              n.path("find").asString(""),
              n.path("replace").asString(""),
              texts(n.path("runs")),
              texts(n.path("targets")));
      if (fault.name.isBlank() || fault.find.isEmpty() || !names.add(fault.name)) {
        throw new VerifyException(file + ": a fault needs 'find' and a unique 'name'");
      }
      if (!PathText.isWithin(fault.file)) {
        throw new VerifyException(file + ": '" + fault.file + "' is not a path within the tree");
      }
      faults.add(fault);
    }
    return faults;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(n -> texts.add(n.asString("")));
    return texts;
  }

  boolean tries(String run) {
    return runs.isEmpty() || runs.contains(run);
  }

  List<String> targets(List<String> all) {
    return on.isEmpty() ? all.subList(0, 1) : all.stream().filter(on::contains).toList();
  }

  /** A fault that is in a file. */
  record Applied(Path file, byte[] before) {
    void undo() throws IOException {
      Files.write(file, before);
    }
  }

  /**
   * Plants the fault.
   *
   * @throws VerifyException if the text does not occur exactly once: it would be a different fault
   */
  Applied apply(Path tree) throws IOException, VerifyException {
    Path at = tree.resolve(file);
    if (!Files.isRegularFile(at)) {
      throw new VerifyException("fault '%s': no file %s in the port".formatted(name, file));
    }
    byte[] before = Files.readAllBytes(at);
    String text = new String(before, java.nio.charset.StandardCharsets.UTF_8);
    int first = text.indexOf(find);
    if (first < 0 || text.indexOf(find, first + 1) >= 0) {
      throw new VerifyException(
          "fault '%s': its text occurs %s in %s"
              .formatted(name, first < 0 ? "nowhere" : "more than once", file));
    }
    Files.writeString(
        at, text.substring(0, first) + replace + text.substring(first + find.length()));
    return new Applied(at, before);
  }
}
