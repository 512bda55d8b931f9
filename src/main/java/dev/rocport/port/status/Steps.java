package dev.rocport.port.status;

import dev.rocport.core.result.PortStatus.Step;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.AtomicFile;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.Json;
import dev.rocport.port.Undo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What was done with a ported tree, in {@code .rocport/steps.json} in its root. */
public final class Steps {
  private static final String NAME = ".rocport/steps.json";

  private final Path root;

  private Steps(Path root) {
    this.root = root;
  }

  /** Returns the steps of the ported tree around a file or folder; empty if there is none. */
  public static Optional<Steps> around(Path place) {
    try {
      @Nullable Path root = Undo.stateAbove(place.toRealPath());
      return Optional.ofNullable(root).map(Steps::new);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Notes that a command ran a program, if the program is in a ported tree.
   *
   * @return why this was not possible, which is no reason for the command to fail; empty otherwise
   */
  public static String note(String command, Path program, boolean ok, String outcome) {
    Optional<Steps> steps = Files.exists(program) ? around(program) : Optional.empty();
    if (steps.isEmpty()) {
      return "";
    }
    return steps.get().unsaved(s -> s.add(command, s.subject(program), ok, outcome));
  }

  /**
   * Notes what a build made, in place of the last build.
   *
   * @return why this was not possible; empty otherwise
   */
  public String noteBuild(List<Step> built) {
    return unsaved(s -> s.replace("build", built));
  }

  private interface Change {
    void make(Steps steps) throws IOException;
  }

  private String unsaved(Change change) {
    try {
      change.make(this);
      return "";
    } catch (IOException | InvalidFileException e) {
      String why = e instanceof IOException io ? SourceTree.reason(io) : e.getMessage();
      return "rocport: cannot note this in " + root.resolve(NAME) + " for rocport status: " + why;
    }
  }

  private String subject(Path file) throws IOException {
    return root.relativize(file.toRealPath()).toString();
  }

  /**
   * Returns the steps, in order of command and subject.
   *
   * @throws InvalidFileException if the file is invalid
   */
  public List<Step> read() throws IOException {
    Path file = root.resolve(NAME);
    if (!Files.exists(file)) {
      return List.of();
    }
    List<Step> steps = new ArrayList<>();
    try {
      for (JsonNode s : JsonMapper.shared().readTree(Files.readAllBytes(file))) {
        List<String> kernels = new ArrayList<>();
        s.path("kernels").forEach(k -> kernels.add(k.asString("")));
        steps.add(
            new Step(
                s.path("command").asString(""),
                s.path("subject").asString(""),
                s.path("ok").asBoolean(false),
                s.path("outcome").asString(""),
                kernels,
                s.path("on").asString("")));
      }
    } catch (JacksonException e) {
      throw new InvalidFileException(
          file + " is damaged: delete it, then build and run again: " + e.getOriginalMessage(), e);
    }
    return steps;
  }

  /** Adds a step of today, in place of the last one of the command with this subject. */
  public void add(String command, String subject, boolean ok, String outcome) throws IOException {
    List<Step> steps = new ArrayList<>(read());
    steps.removeIf(s -> s.command().equals(command) && s.subject().equals(subject));
    steps.add(new Step(command, subject, ok, outcome, List.of(), today()));
    write(steps);
  }

  /** Replaces all steps of a command. */
  public void replace(String command, List<Step> by) throws IOException {
    List<Step> steps = new ArrayList<>(read());
    steps.removeIf(s -> s.command().equals(command));
    steps.addAll(by);
    write(steps);
  }

  public static String today() {
    return LocalDate.now(ZoneId.systemDefault()).toString();
  }

  private void write(List<Step> steps) throws IOException {
    AtomicFile.write(
        root.resolve(NAME),
        out ->
            Json.document(
                out,
                g -> {
                  g.writeStartArray();
                  for (Step s : steps) {
                    g.writeStartObject();
                    g.writeStringProperty("command", s.command());
                    g.writeStringProperty("subject", s.subject());
                    g.writeBooleanProperty("ok", s.ok());
                    g.writeStringProperty("outcome", s.outcome());
                    g.writeArrayPropertyStart("kernels");
                    s.kernels().forEach(g::writeString);
                    g.writeEndArray();
                    g.writeStringProperty("on", s.on());
                    g.writeEndObject();
                  }
                  g.writeEndArray();
                }));
  }
}
