package dev.rocport.verify;

import dev.rocport.build.BuildResult;
import java.nio.file.Path;
import java.util.List;

/** Programs in Java, which java starts from their source: nothing is built before. */
final class JavaPrograms {
  /** What {@code fixture.yaml} calls such a build. */
  static final String BUILD = "java";

  private JavaPrograms() {}

  /** True for the source of one. */
  static boolean is(String program) {
    return program.endsWith(".java");
  }

  /** The arguments before the source on the command line. */
  static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED");
  }

  /** The build of a tree of which nothing is built. */
  static BuildResult built(List<String> targets) {
    return new BuildResult(
        BUILD,
        "java " + Runtime.version(),
        "",
        targets,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0);
  }
}
