package dev.rocport.conformance;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Programs with GoogleTest. */
final class GoogleTest implements Form {
  private static final Pattern GROUP = Pattern.compile("(\\S+\\.)(\\s+#.*)?");
  private static final Pattern TEST = Pattern.compile("  (\\S+)(\\s+#.*)?");
  private static final Pattern DISABLED = Pattern.compile("(^|[/.])DISABLED_");
  private static final Pattern FAILURE =
      Pattern.compile(":\\d+: Failure\\b|^unknown file: Failure");
  private static final Pattern EVENT =
      Pattern.compile("\\[ (RUN     | {6}OK| FAILED | SKIPPED) +] ([^\\s,]+)(,? .*)?");

  @Override
  public List<String> listing() {
    return List.of("--gtest_list_tests");
  }

  @Override
  public List<String> names(Stream<String> lines) {
    List<String> names = new ArrayList<>();
    String group = "";
    for (Iterator<String> all = lines.iterator(); all.hasNext(); ) {
      String line = all.next();
      Matcher test = TEST.matcher(line);
      Matcher head = GROUP.matcher(line);
      if (head.matches()) {
        group = head.group(1);
      } else if (test.matches() && !group.isEmpty()) {
        String name = group + test.group(1);
        if (!DISABLED.matcher(name).find()) {
          names.add(name);
        }
      }
    }
    return names;
  }

  @Override
  public List<String> running(List<String> names) {
    return List.of("--gtest_color=no", "--gtest_filter=" + String.join(":", names));
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
    public boolean isFailure(String line) {
      return FAILURE.matcher(line).find();
    }

    @Override
    public void line(String line, Events events) {
      Matcher event = EVENT.matcher(line);
      if (!event.matches()) {
        return;
      }
      String name = event.group(2);
      switch (event.group(1).strip()) {
        case "RUN" -> events.begun(name);
        case "OK" -> events.ended(name, Verdict.PASSED, "");
        case "SKIPPED" -> events.ended(name, Verdict.SKIPPED, "");
        default -> events.ended(name, Verdict.FAILED, "");
      }
    }
  }
}
