package dev.rocport.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows whether a file was written, without reading it: its size, its inode, the time of its last
 * change and the time of its status. Each write changes the time of the status, which programs
 * cannot set.
 *
 * @param text all of them
 * @param changed the time of the status, in nanoseconds since 1970
 */
public record FileStamp(String text, long changed) {
  /** Times of files may have less resolution than the clock, and may come from another machine. */
  private static final Duration RECENT = Duration.ofSeconds(2);

  /**
   * Returns the stamp of a file; of a link, that of the link.
   *
   * @throws IOException if there is no such file
   */
  public static FileStamp of(Path file) throws IOException {
    Map<String, Object> a =
        Files.readAttributes(
            file, "unix:size,ino,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
    long changed = nanos(a.get("ctime"));
    String text =
        a.get("size") + ":" + a.get("ino") + ":" + nanos(a.get("lastModifiedTime")) + ":" + changed;
    return new FileStamp(text, changed);
  }

  /**
   * Returns the stamp of a file that was read; empty if it may have changed meanwhile.
   *
   * @param start when the run began
   */
  static String textOf(Path file, Instant start) {
    try {
      FileStamp stamp = of(file);
      return stamp.isOlderThan(start) ? stamp.text() : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static long nanos(@Nullable Object time) {
    return time instanceof FileTime t ? t.to(TimeUnit.NANOSECONDS) : 0;
  }

  /**
   * Returns whether the file has not been written since a time, or shortly before it. What was read
   * since then is its content; a file that is written while it is read has a later time.
   */
  boolean isOlderThan(Instant start) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(start.toEpochMilli());
    return changed < nanos - RECENT.toNanos();
  }
}
