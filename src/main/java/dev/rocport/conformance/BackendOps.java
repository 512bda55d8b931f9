package dev.rocport.conformance;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program {@code test-backend-ops} of ggml: each operation with its parameters is a test, whose
 * result on the GPU is compared with that of the processor.
 */
final class BackendOps implements Form {
  private static final String BACKEND = "ROCm0";
  private static final Pattern SUPPORTED =
      Pattern.compile("\"[^\"]*\",\"([^\"]*)\",\"([^\"]*)\",\"support\",\"1\",.*");
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
  private static final Pattern TEST = Pattern.compile("  (\\w+\\([^()]*\\)):(.*)");

  @Override
  public List<String> listing() {
    return List.of("support", "-b", BACKEND, "--output", "csv");
  }

  @Override
  public List<String> names(Stream<String> lines) {
    // Some parameters differ in nothing that is printed.
    return lines
        .map(SUPPORTED::matcher)
        .filter(Matcher::matches)
        .map(m -> m.group(1) + "(" + m.group(2) + ")")
        .filter(n -> TEST.matcher("  " + n + ":").matches())
        .distinct()
        .toList();
  }

  @Override
  public List<String> running(List<String> names) {
    return List.of("test", "-b", BACKEND, "-o", String.join(",", names));
  }

  @Override
  public boolean hasListed(int code, List<String> names) {
    return code == 0 && !names.isEmpty();
  }

  @Override
  public boolean isAlone() {
    return false;
  }

  @Override
  public int most() {
    return 1000;
  }

  @Override
  public TestLog log() {
    return new Log();
  }

  private static final class Log implements TestLog {
    @Override
    public void begunLine(String text, Events events) {
      Matcher test = TEST.matcher(COLOUR.matcher(text).replaceAll(""));
      if (test.matches()) {
        events.begun(test.group(1));
      }
    }

    @Override
    public void line(String line, Events events) {
      Matcher test = TEST.matcher(COLOUR.matcher(line).replaceAll(""));
      if (test.matches()) {
        String said = test.group(2).strip();
        Verdict verdict =
            said.endsWith("OK")
                ? Verdict.PASSED
                : said.contains("not supported") ? Verdict.SKIPPED : Verdict.FAILED;
        events.ended(test.group(1), verdict, said);
      }
    }
  }
}
