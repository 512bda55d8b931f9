package dev.rocport;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The classes of these tests, for another process. */
public final class TestClasses {
  private TestClasses() {}

  /** A class path, as {@code java -cp} takes it. */
  public static String path() {
    if (TestClasses.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }
}
