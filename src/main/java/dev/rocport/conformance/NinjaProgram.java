package dev.rocport.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A test program in a file {@code build.ninja}.
 *
 * @param output its file, relative to the folder of the build
 * @param objects what it is linked of
 */
record NinjaProgram(String output, List<String> objects) {
  private static final Pattern LINK =
      Pattern.compile("build (\\S+): CXX_EXECUTABLE_LINKER__\\S+ ([^|]*)(\\|.*)?");

  private static final String ALL = "build build_tests: phony ";
  private static final String UNIT = "catch_tests/unit/";

  /** Of the main program of AMD's tests. */
  private static final String MAIN = "/Main_Object.dir/main.cc.o";

  NinjaProgram {
    objects = List.copyOf(objects);
  }

  /**
   * Everything in such a file that the unit tests consist of: programs, and files that they load.
   *
   * @param folders of the tests; none for all
   */
  static List<String> targets(Stream<String> lines, Set<String> folders) {
    return lines
        .filter(l -> l.startsWith(ALL))
        .flatMap(l -> Stream.of(l.substring(ALL.length()).split(" ")))
        .filter(t -> t.startsWith(UNIT) && (folders.isEmpty() || folders.contains(folder(t))))
        .toList();
  }

  /** The folder of unit tests that a target belongs to. */
  static String folder(String target) {
    String below = target.substring(UNIT.length());
    return below.substring(0, Math.max(0, below.indexOf('/')));
  }

  /** The unit tests in such a file, without the programs that they start. */
  static List<NinjaProgram> of(Stream<String> lines) {
    List<NinjaProgram> programs = new ArrayList<>();
    lines.forEach(
        line -> {
          Matcher link = LINK.matcher(line);
          if (link.matches() && link.group(1).startsWith(UNIT)) {
            List<String> objects = List.of(link.group(2).strip().split(" "));
            if (objects.stream().anyMatch(o -> o.endsWith(MAIN))
                && objects.stream().anyMatch(o -> o.startsWith(UNIT))) {
              programs.add(new NinjaProgram(link.group(1), objects));
            }
          }
        });
    return programs;
  }

  /** The object of a test, not of the main program. */
  String testObject() {
    return objects.stream().filter(o -> o.startsWith(UNIT)).findFirst().orElseThrow();
  }

  String name() {
    return output.substring(output.lastIndexOf('/') + 1);
  }
}
