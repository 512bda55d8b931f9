package dev.rocport.cli.fleet;

import dev.rocport.cli.support.UsageException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that the commands share. */
final class FleetChoices {
  private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*:)//.*");

  private FleetChoices() {}

  /**
   * Returns a folder that all machines of a cluster share.
   *
   * @throws UsageException for a URL, of which the message has the scheme only: the rest may
   *     contain a password
   */
  static Path folder(String option, String text) {
    Matcher url = URL.matcher(text);
    if (url.matches()) {
      throw new UsageException(
          ("%s %s//...: an output is a folder that all machines share under one path, because a"
                  + " repository appears in it by renaming a folder; use such a folder (local,"
                  + " NFS), and copy the complete output to an object store or to HDFS")
              .formatted(option, url.group(1)));
    }
    return Path.of(text).toAbsolutePath().normalize();
  }

  static void requireAtLeastOne(String option, long value) {
    if (value < 1) {
      throw new UsageException(option + " must be 1 or more, not " + value);
    }
  }
}
