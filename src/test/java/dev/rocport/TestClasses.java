package dev.rocport;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Writes a program {@code rocport} that runs these classes. */
  public static void launcher(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        #!/bin/sh
        tiers=-XX:TieredStopAtLevel=1
        [ "${1-}" != device ] || tiers=
        exec '%s' -XX:+UseSerialGC $tiers ${ROCPORT_JAVA_OPTS-} -Drocport.home='%s' -cp '%s' dev.rocport.cli.Main "$@"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin/java"),
                System.getProperty("rocport.home"),
                path()));
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + ": cannot be made executable");
    }
  }
}
