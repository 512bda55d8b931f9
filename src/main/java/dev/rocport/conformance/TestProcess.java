package dev.rocport.conformance;

import dev.rocport.io.process.Exec;
import dev.rocport.io.process.ProcessTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One process that runs tests of a program, watched by what it writes. */
final class TestProcess implements TestLog.Events {
  /**
   * Until the first test begins: some programs read large tables of tests, and the device starts.
   */
  private static final Duration START = Duration.ofMinutes(10);

  private static final Duration WATCH = Duration.ofMillis(50);
  private static final long RUNAWAY = 256L << 20;

  /** Bytes that are read at once, so that a process that writes without end is noticed. */
  private static final int PART = 4 << 20;

  /** Lines of a message: those of the first failed check, the last ones of a process that died. */
  private static final int LINES = 8;

  private static final int LONGEST = 400;

  private final String program;
  private final Duration limit;
  private final Consumer<TestResult> results;
  private final SequencedSet<String> left;
  private final TestLog log;
  private final boolean alone;
  private final LineBuffer line = new LineBuffer();
  private final List<String> first = new ArrayList<>();
  private final Deque<String> last = new ArrayDeque<>();
  private Optional<String> current = Optional.empty();
  private long since = System.nanoTime();
  private boolean begun;
  private boolean failed;
  private String end = "";

  /**
   * A process for some tests.
   *
   * @param limit the most time that a test may take
   * @param results receives each result
   */
  TestProcess(
      String program, List<String> names, Form form, Duration limit, Consumer<TestResult> results) {
    this.program = program;
    this.limit = limit;
    this.results = results;
    this.left = new LinkedHashSet<>(names);
    this.log = form.log();
    this.alone = form.isAlone();
  }

  /**
   * Runs the process until it ends, or one of its tests does not.
   *
   * @param output a file for what it writes
   * @return the tests that it has not come to
   */
  List<String> run(Exec exec, Path output) throws IOException, InterruptedException {
    try (ProcessTree tree = exec.merged().output(output).start();
        InputStream in = Files.newInputStream(output)) {
      if (alone) {
        begun(left.getFirst());
      }
      boolean ended = false;
      while (!ended) {
        ended = tree.await(WATCH);
        read(in);
        if (!ended && (late() || Files.size(output) > RUNAWAY)) {
          boolean late = late();
          tree.end();
          end = late ? "stopped: it did not end in time" : "stopped: it wrote too much output";
          if (current.isEmpty() && left.isEmpty()) {
            afterTests(end());
          } else {
            finish(running(), late ? Verdict.CUT : Verdict.FAILED, late ? "" : end);
          }
          return List.copyOf(left);
        }
      }
      while (read(in)) {
        // what it wrote at the end
      }
      line();
      died(tree.await());
    }
    return List.copyOf(left);
  }

  /** Whether it began any test. */
  boolean hasBegun() {
    return begun;
  }

  /** How it ended and the last lines that it wrote, on one line. */
  String end() {
    return end + ": " + joined(last.stream());
  }

  private boolean late() {
    Duration most = begun ? limit : limit.plus(START);
    return System.nanoTime() - since > most.toNanos();
  }

  /** The test that a failure is of: the running one, or the next in the order of the program. */
  private String running() {
    return current.orElseGet(left::getFirst);
  }

  private void died(int code) {
    end = code > 128 ? "killed by signal " + (code - 128) : "exit code " + code;
    if (current.isPresent()) {
      Verdict verdict = log.atExit(code);
      String message = alone && failed ? joined(first.stream()) : "the program ended: " + end();
      finish(current.get(), verdict, verdict == Verdict.FAILED ? message : "");
    } else if (left.isEmpty() && code > 128) {
      afterTests("the program died after its tests: " + end());
    }
  }

  private void afterTests(String message) {
    results.accept(
        new TestResult(new TestCase(program, "end"), Verdict.FAILED, message, Duration.ZERO));
  }

  /** Reads a part of what the process wrote; false at the end. */
  private boolean read(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(PART);
    for (byte b : bytes) {
      if (b == '\n') {
        line();
      } else {
        line.add(b);
      }
    }
    if (bytes.length > 0 && !line.isEmpty()) {
      log.begunLine(line.text(), this);
    }
    return bytes.length > 0;
  }

  private void line() {
    String text = line.take();
    log.line(text, this);
    String plain = text.replaceAll("\\p{Cntrl}", " ").strip();
    if (!plain.isEmpty()) {
      if (!failed && log.isFailure(plain)) {
        failed = true;
        first.clear();
      }
      if (first.size() < LINES) {
        first.add(plain);
      }
      last.addLast(plain);
      if (last.size() > LINES) {
        last.removeFirst();
      }
    }
  }

  @Override
  public void begun(String name) {
    if (current.filter(name::equals).isPresent()) {
      return;
    }
    begun = true;
    current = Optional.of(name);
    since = System.nanoTime();
    failed = false;
    first.clear();
    last.clear();
  }

  @Override
  public void ended(String name, Verdict verdict, String said) {
    // A test may run more than once: some differ in nothing that their names tell.
    since = left.contains(name) ? since : System.nanoTime();
    if (left.contains(name)) {
      begun = true;
      // Without a failed check, the first line is the one that says that the test begins.
      String message = said.isEmpty() ? joined(first.stream().skip(failed ? 0 : 1)) : said;
      finish(name, verdict, verdict == Verdict.FAILED ? message : "");
    }
  }

  private void finish(String name, Verdict verdict, String message) {
    Duration time = Duration.ofNanos(System.nanoTime() - since);
    left.remove(name);
    current = Optional.empty();
    since = System.nanoTime();
    results.accept(new TestResult(new TestCase(program, name), verdict, message, time));
  }

  private static String joined(Stream<String> lines) {
    String text = lines.collect(Collectors.joining(" | "));
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
