package dev.rocport.conformance;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Lists and runs the tests of a suite's programs. A test that hangs, dies or kills its process
 * group ends no other.
 */
final class ProgramTests {
  private static final Duration LISTING = Duration.ofMinutes(15);

  /** Bytes of the longest list: some programs print all parameters of a million tests. */
  private static final long LONGEST_LIST = 4L << 30;

  /** Lines that are looked through for a message. */
  private static final int MOST_SAID = 1000;

  /** A command line has limits. */
  private static final int MOST_TEXT = 100_000;

  private final Form form;
  private final Starter starter;
  private final Duration limit;
  private final Path scratch;

  /**
   * Tests of a suite.
   *
   * @param limit the most time for a test
   * @param scratch a folder for what they write
   */
  ProgramTests(Form form, Starter starter, Duration limit, Path scratch) {
    this.form = form;
    this.starter = starter;
    this.limit = limit;
    this.scratch = scratch;
  }

  /**
   * The tests of a program.
   *
   * @throws ToolchainException if the program does not list them
   */
  List<TestCase> list(String program) throws IOException, InterruptedException, ToolchainException {
    Path output = Files.createTempFile(scratch, "list", ".out");
    Exec exec = starter.program(program, form.listing()).apart().merged().output(output);
    Exec.Ended ended = exec.limit(LISTING).writesAtMost(LONGEST_LIST).await();
    List<String> names;
    List<String> last;
    try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
      names = form.names(lines);
    }
    try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
      last = lines.filter(l -> !l.isBlank()).limit(MOST_SAID).toList();
    }
    Files.delete(output);
    if (ended.timedOut() || !form.hasListed(ended.code(), names)) {
      throw new ToolchainException(
          "%s lists no tests (%s):\n%s"
              .formatted(
                  program,
                  ended.timedOut()
                      ? "stopped: it takes too long or writes too much"
                      : "exit code " + ended.code(),
                  String.join("\n", last.subList(Math.max(0, last.size() - 4), last.size()))
                      .indent(2)));
    }
    return names.stream().map(n -> new TestCase(program, n)).toList();
  }

  /**
   * Runs tests of one program.
   *
   * @param results receives each result as soon as it is there
   */
  void run(String program, List<String> names, Consumer<TestResult> results)
      throws IOException, InterruptedException {
    List<String> left = new ArrayList<>(names);
    int idle = 0;
    while (!left.isEmpty()) {
      List<String> now = part(left);
      TestProcess process = new TestProcess(program, now, form, limit, results);
      Path output = Files.createTempFile(scratch, "tests", ".out");
      Exec exec = starter.program(program, form.running(now)).apart();
      List<String> rest = process.run(exec, output);
      Files.delete(output);
      left = new ArrayList<>(left.subList(now.size(), left.size()));
      if (rest.size() == now.size()) {
        fail(program, rest.getFirst(), process, results);
        rest = rest.subList(1, rest.size());
      }
      if (!process.hasBegun() && ++idle > 1) {
        // It does not start at all.
        rest.forEach(name -> fail(program, name, process, results));
        left.forEach(name -> fail(program, name, process, results));
        return;
      }
      left.addAll(0, rest);
    }
  }

  private static void fail(
      String program, String name, TestProcess process, Consumer<TestResult> results) {
    String message = "the program ended before this test: " + process.end();
    results.accept(
        new TestResult(new TestCase(program, name), Verdict.FAILED, message, Duration.ZERO));
  }

  private List<String> part(List<String> names) {
    int size = 0;
    int text = 0;
    while (size < names.size() && size < form.most() && text < MOST_TEXT) {
      text += names.get(size).length() + 1;
      size++;
    }
    return List.copyOf(names.subList(0, size));
  }
}
