package dev.rocport.conformance;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Programs with Catch2. As AMD runs them, each test has a process of its own, whose exit code is
 * the result.
 */
final class CatchTest implements Form {
  /** An exit code has a byte. */
  private static final int CODES = 256;

  private static final Pattern FAILURE = Pattern.compile(":\\d+: FAILED:$");

  /** Characters that select tests. */
  private static final Pattern SPECIAL = Pattern.compile("[\\\\,\\[\\]*\"~]");

  /** What a test prints that leaves itself out. */
  private static final String SKIPPED = "HIP_SKIP_THIS_TEST";

  @Override
  public List<String> listing() {
    return List.of("--list-test-names-only");
  }

  @Override
  public List<String> names(Stream<String> lines) {
    return lines.map(String::strip).filter(l -> !l.isEmpty()).distinct().toList();
  }

  /** The code of Catch2 is the number of tests. */
  @Override
  public boolean hasListed(int code, List<String> names) {
    return !names.isEmpty() && (code == 0 || code == names.size() % CODES);
  }

  @Override
  public List<String> running(List<String> names) {
    return List.of(SPECIAL.matcher(names.getFirst()).replaceAll("\\\\$0"));
  }

  @Override
  public int most() {
    return 1;
  }

  @Override
  public boolean isAlone() {
    return true;
  }

  @Override
  public TestLog log() {
    return new Log();
  }

  private static final class Log implements TestLog {
    private boolean skipped;

    @Override
    public boolean isFailure(String line) {
      return FAILURE.matcher(line).find();
    }

    @Override
    public void line(String line, Events events) {
      skipped |= line.contains(SKIPPED);
    }

    @Override
    public Verdict atExit(int code) {
      return code != 0 ? Verdict.FAILED : skipped ? Verdict.SKIPPED : Verdict.PASSED;
    }
  }
}
