package dev.rocport.conformance;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests that AMD's own configuration disables for a target: expressions for whole names, in which
 * {@code *} stands for any text.
 */
final class DisabledTests {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final List<Pattern> patterns;

  private DisabledTests(List<Pattern> patterns) {
    this.patterns = List.copyOf(patterns);
  }

  /**
   * Evaluates the conditions of the list with the preprocessor, as AMD's build does.
   *
   * @param file a file that the tests read
   * @throws ToolchainException if the list cannot be read
   */
  static DisabledTests of(Checkout checkout, Toolchain toolchain, String target, Path file)
      throws IOException, InterruptedException, ToolchainException {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString(), "-E", "-P"));
    command.addAll(List.of("-x", "c", "-D" + target, "-DGITHASH=\"\""));
    command.addAll(List.of(checkout.disabled().toString(), "-o", file.toString()));
    Exec.Outcome made = Exec.of(command).limit(LIMIT).run();
    if (!made.ok()) {
      throw new ToolchainException(
          "the list of disabled tests cannot be read: " + made.stderr().strip());
    }
    return read(file);
  }

  static DisabledTests read(Path file) throws ToolchainException {
    List<Pattern> patterns = new ArrayList<>();
    try {
      for (JsonNode name : JsonMapper.shared().readTree(file.toFile()).path("DisabledTests")) {
        patterns.add(pattern(name.asString()));
      }
    } catch (JacksonException e) {
      throw new ToolchainException(
          "the list of disabled tests is not JSON: " + e.getOriginalMessage(), e);
    }
    return new DisabledTests(patterns);
  }

  private static Pattern pattern(String name) {
    try {
      return Pattern.compile(name.replace("*", ".*"));
    } catch (PatternSyntaxException e) {
      return Pattern.compile(Pattern.quote(name));
    }
  }

  boolean contains(String test) {
    return patterns.stream().anyMatch(p -> p.matcher(test).matches());
  }
}
