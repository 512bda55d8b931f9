package dev.rocport.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * An archive on a file system that Hadoop's client reads, such as HDFS, an object store or a web
 * server. Properties of Spark that begin with {@code spark.hadoop.} configure the client, as
 * everywhere in Spark.
 */
final class RemoteArchive {
  private static final String PREFIX = "spark.hadoop.";

  private RemoteArchive() {}

  private static Configuration configuration(Map<String, String> spark) {
    Configuration configuration = new Configuration();
    spark.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            configuration.set(key.substring(PREFIX.length()), value);
          }
        });
    return configuration;
  }

  /**
   * Requires the class of the file system, which for some is in a library that is not fetched: all
   * archives there would fail.
   */
  static void requireLibrary(String scheme, Map<String, String> spark) throws FleetException {
    try {
      FileSystem.getFileSystemClass(scheme, configuration(spark));
    } catch (IOException e) {
      // Nothing reads this scheme: its task says so.
    } catch (RuntimeException e) {
      throw new FleetException(
          ("%s://: Hadoop's client needs a library that is not fetched; put it into"
                  + " fleet/target/lib (docs/fleet.md): %s")
              .formatted(scheme, e.getCause() == null ? e : e.getCause().getMessage()),
          e);
    }
  }

  private static FileSystem system(String location, Map<String, String> spark) throws IOException {
    return FileSystem.newInstance(path(location).toUri(), configuration(spark));
  }

  private static org.apache.hadoop.fs.Path path(String location) {
    return new org.apache.hadoop.fs.Path(location);
  }

  /** Returns its bytes as far as the file system knows them; otherwise 0. */
  static long size(String location, Map<String, String> spark) {
    try (FileSystem system = system(location, spark)) {
      return Math.max(0, system.getFileStatus(path(location)).getLen());
    } catch (IOException | RuntimeException e) {
      return 0; // Its task says what is wrong.
    }
  }

  /**
   * Copies it.
   *
   * @param file does not exist yet
   * @throws Failure if it cannot be read, is larger than the size limit, or takes too long
   */
  static void fetch(Source source, Path file, WorkSettings settings)
      throws Failure, IOException, InterruptedException {
    FutureTask<Boolean> copy = new FutureTask<>(() -> isCopied(source, file, settings));
    // A server that does not answer holds this thread, and not the task.
    Thread.ofPlatform().daemon().name("fetch " + source.name()).start(copy);
    try {
      if (!copy.get(settings.timeLimit(), TimeUnit.SECONDS)) {
        throw new Failure(
            Failure.Kind.TOO_LARGE,
            "more than %d MiB (--size-limit)".formatted(settings.sizeLimit()));
      }
    } catch (TimeoutException e) {
      throw Failure.time("", settings.timeLimit());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new Failure(Failure.Kind.UNREADABLE, String.valueOf(e.getCause()));
    } finally {
      copy.cancel(true);
    }
  }

  private static boolean isCopied(Source source, Path file, WorkSettings settings)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    try (FileSystem system = system(source.location(), settings.spark());
        InputStream in = system.open(path(source.location()));
        OutputStream out = Files.newOutputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
        if (bytes > settings.sizeLimitBytes()) {
          return false;
        }
        out.write(buffer, 0, n);
      }
      return true;
    }
  }
}
