package dev.rocport.conformance;

import java.util.List;
import java.util.stream.Stream;

/** How the programs of a suite list and run their tests. */
public sealed interface Form permits GoogleTest, BackendOps, CatchTest {
  /** Programs with GoogleTest. */
  Form GTEST = new GoogleTest();

  /** Programs with Catch2. */
  Form CATCH = new CatchTest();

  /** The form that a table names. */
  static Form of(String name) {
    return switch (name) {
      case "gtest" -> GTEST;
      case "backend-ops" -> new BackendOps();
      default -> throw new IllegalArgumentException("no such form: " + name);
    };
  }

  /** Arguments that make a program list its tests. */
  List<String> listing();

  /** The names in such a list, which may be long. */
  List<String> names(Stream<String> lines);

  /** Whether a program that lists its tests ended well. */
  boolean hasListed(int code, List<String> names);

  /** Arguments that make a program run these tests only. */
  List<String> running(List<String> names);

  /** How many tests one process runs at most. */
  int most();

  /** Whether a process runs one test from its start to its end, and its exit code is the result. */
  boolean isAlone();

  /** Reads what one process writes while it runs tests. */
  TestLog log();
}
