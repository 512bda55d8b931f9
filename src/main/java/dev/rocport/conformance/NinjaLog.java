package dev.rocport.conformance;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Ninja writes about a build that goes on after failures. */
final class NinjaLog {
  private static final String FAILED = "FAILED: ";
  private static final Pattern STEP = Pattern.compile("\\[(\\d+)/(\\d+)] .*");
  private static final Pattern OBJECT =
      Pattern.compile("catch_tests/(.*)/CMakeFiles/[^/]*\\.dir/(.*)\\.o");
  private static final Pattern ERROR = Pattern.compile("\\berror:");
  private static final int LONGEST = 400;

  private NinjaLog() {}

  /**
   * A step that failed.
   *
   * @param output its file
   * @param message the first error
   */
  record Failure(String output, String message) {
    /** The source of an object, relative to the tests; otherwise the output. */
    String source() {
      Matcher object = OBJECT.matcher(output);
      return object.matches() ? object.group(1) + "/" + object.group(2) : output;
    }
  }

  static List<Failure> failures(Stream<String> lines) {
    List<Failure> failures = new ArrayList<>();
    Iterator<String> all = lines.iterator();
    String line = all.hasNext() ? all.next() : "";
    while (all.hasNext()) {
      if (line.startsWith(FAILED)) {
        String output = line.substring(FAILED.length()).strip().split(" ", 2)[0];
        List<String> said = new ArrayList<>();
        // The first line is the command.
        line = all.next();
        while (all.hasNext()) {
          line = all.next();
          if (STEP.matcher(line).matches()
              || line.startsWith(FAILED)
              || line.startsWith("ninja: ")) {
            break;
          }
          said.add(line.strip());
        }
        failures.add(new Failure(output, message(said)));
      } else {
        line = all.next();
      }
    }
    return failures;
  }

  private static String message(List<String> said) {
    String message =
        said.stream()
            .filter(l -> ERROR.matcher(l).find())
            .findFirst()
            .or(() -> said.stream().filter(l -> !l.isEmpty()).findFirst())
            .orElse("no message");
    return message.length() > LONGEST ? message.substring(0, LONGEST) + "..." : message;
  }

  /** The step in a line, such as {@code 3 of 90}. */
  static Optional<String> step(String line) {
    return Optional.of(STEP.matcher(line))
        .filter(Matcher::matches)
        .map(m -> m.group(1) + " of " + m.group(2));
  }
}
