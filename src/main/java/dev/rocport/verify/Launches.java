package dev.rocport.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a run launched, by the trace of its kernels.
 *
 * @param kernels how many different ones
 * @param launches how many in all
 * @param blocks of all launches together
 */
record Launches(int kernels, long launches, long blocks) {
  static final Launches NONE = new Launches(0, 0, 0);

  private static final Pattern LINE =
      Pattern.compile(
          "rocport: GPU \\d+, (.*): grid \\((\\d+), (\\d+), (\\d+)\\), block \\(.*\\d+ waves, .*");

  /** Reads the trace in what a program has written. */
  static Launches of(Path stderr) throws IOException {
    Set<String> names = new HashSet<>();
    long launches = 0;
    long blocks = 0;
    try (Stream<String> lines = Files.lines(stderr, StandardCharsets.ISO_8859_1)) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher m = LINE.matcher(line);
        if (m.matches()) {
          names.add(m.group(1));
          launches++;
          blocks +=
              Long.parseLong(m.group(2)) * Long.parseLong(m.group(3)) * Long.parseLong(m.group(4));
        }
      }
    }
    return new Launches(names.size(), launches, blocks);
  }

  @Override
  public String toString() {
    return "each run launches %s %s, %s in all"
        .formatted(counted(kernels, "kernel"), counted(launches, "time"), counted(blocks, "block"));
  }

  private static String counted(long n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }
}
