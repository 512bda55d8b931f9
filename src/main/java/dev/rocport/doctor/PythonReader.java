package dev.rocport.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks an interpreter what is installed for it; nothing of that is imported. */
final class PythonReader {
  private static final String MARK = "rocport-facts:";

  private PythonReader() {}

  /**
   * Queries one interpreter.
   *
   * @param from the source of its path
   * @param required a regular expression for the requirements to return
   * @param installed one for the packages to return
   */
  static Python ask(Machine machine, String path, String from, String required, String installed) {
    ToolOutput output = machine.run(List.of(path, "-B", "-c", program(), required, installed));
    Optional<String> line =
        output.text().lines().filter(l -> l.startsWith(MARK)).reduce((first, second) -> second);
    if (line.isEmpty()) {
      String why = output.failure().isEmpty() ? "its output is invalid" : output.failure();
      return failed(path, from, why);
    }
    try {
      return read(path, from, JsonMapper.shared().readTree(line.get().substring(MARK.length())));
    } catch (JacksonException | StackOverflowError e) {
      return failed(path, from, "its output is invalid");
    }
  }

  private static Python failed(String path, String from, String why) {
    return new Python(path, from, "", "", "", Optional.empty(), List.of(), why);
  }

  private static Python read(String path, String from, JsonNode root) {
    String version = text(root, "version");
    if (version.isEmpty()) {
      return failed(path, from, "its output is invalid");
    }
    List<Installed> packages = new ArrayList<>();
    for (JsonNode p : root.path("packages")) {
      if (!text(p, "name").isEmpty()) {
        packages.add(
            new Installed(
                text(p, "name"),
                text(p, "version"),
                texts(p, "requires"),
                text(p, "folder"),
                texts(p, "libraries")));
      }
    }
    JsonNode t = root.path("torch");
    Optional<Torch> torch =
        t.isObject()
            ? Optional.of(
                new Torch(
                    text(t, "__version__"),
                    text(t, "hip"),
                    text(t, "cuda"),
                    text(t, "folder"),
                    texts(t, "architectures"),
                    text(t, "broken")))
            : Optional.empty();
    String failure = text(root, "torchFailed") + text(root, "packagesFailed");
    return new Python(
        path,
        from,
        version,
        text(root, "executable"),
        text(root, "prefix"),
        torch,
        packages,
        failure);
  }

  private static String text(JsonNode node, String field) {
    JsonNode v = node.path(field);
    return v.isString() ? v.asString() : "";
  }

  private static List<String> texts(JsonNode node, String field) {
    List<String> list = new ArrayList<>();
    for (JsonNode v : node.path(field)) {
      if (v.isString()) {
        list.add(v.asString());
      }
    }
    return list;
  }

  private static String program() {
    try (InputStream in =
        Objects.requireNonNull(PythonReader.class.getResourceAsStream("inspect.py"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
