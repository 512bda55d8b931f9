package dev.rocport.port;

import dev.rocport.core.source.TreeWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The stamps of originals and outputs whose content is the recorded one. A run does not read a file
 * again whose stamp is the same: its size, its inode, the time of its last change and the time of
 * its status. Each write changes the time of the status, which programs cannot set. This is only a
 * cache: a file without a stamp is compared by its content.
 */
final class SeenFiles {
  private static final String FILE = "seen.tsv";
  private static final String FORMAT = "1";

  /** Times of files may have less resolution than the clock, and may come from another machine. */
  private static final Duration RECENT = Duration.ofSeconds(2);

  /** Stamps of an original and its output. */
  private record Seen(String original, String output) {}

  private record Stamp(String text, long changed) {
    static Stamp of(Path file) throws IOException {
      Map<String, Object> a =
          Files.readAttributes(
              file, "unix:size,ino,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
      long changed = nanos(a.get("ctime"));
      String text =
          a.get("size")
              + ":"
              + a.get("ino")
              + ":"
              + nanos(a.get("lastModifiedTime"))
              + ":"
              + changed;
      return new Stamp(text, changed);
    }

    private static long nanos(@Nullable Object time) {
      return time instanceof FileTime t ? t.to(TimeUnit.NANOSECONDS) : 0;
    }
  }

  private final Path file;
  private final long start;
  private final Map<String, Seen> before = new TreeMap<>();
  private final Map<String, Seen> now = new ConcurrentHashMap<>();
  private String state = "";
  private String words = "";

  private SeenFiles(Path file, long start) {
    this.file = file;
    this.start = start;
  }

  /**
   * Reads what an earlier run has seen; nothing if the file is missing or has another form.
   *
   * @param state identifies the recorded state that the stamps belong to
   */
  static SeenFiles load(Path folder, String state) {
    return load(folder, state, Instant.now());
  }

  /**
   * The same for a run that starts at a given time.
   *
   * @param start files that are written later, or shortly before, get no stamp
   */
  static SeenFiles load(Path folder, String state, Instant start) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(start.toEpochMilli());
    SeenFiles seen = new SeenFiles(folder.resolve(FILE), nanos);
    seen.state = state;
    try {
      String[] lines = Files.readString(seen.file).split("\n", -1);
      boolean whole = lines.length > 2 && lines[lines.length - 1].isEmpty();
      if (whole && lines[0].equals(seen.head())) {
        seen.words = lines[1].replace('\t', '\n');
        for (int i = 2; i < lines.length - 1; i++) {
          String[] cells = lines[i].split("\t", -1);
          if (cells.length == 3) {
            seen.before.put(cells[2], new Seen(cells[0], cells[1]));
          }
        }
      }
    } catch (IOException e) {
      // Every file is compared by its content.
    }
    return seen;
  }

  private String head() {
    return FORMAT + " " + state;
  }

  /** Returns whether an original and its output both have the stamps of the earlier run. */
  boolean isSame(String path, Path original, Path output) throws IOException {
    Seen seen = before.get(path);
    if (seen == null
        || !seen.original().equals(Stamp.of(original).text())
        || !seen.output().equals(Stamp.of(output).text())) {
      return false;
    }
    now.put(path, seen);
    return true;
  }

  /**
   * Notes that an original and its output have the recorded content, which this run has read or
   * written.
   */
  void note(String path, Path original, Path output) throws IOException {
    Stamp source = Stamp.of(original);
    // A file that is written while it is read has a later time.
    boolean old = source.changed() < start - RECENT.toNanos();
    if (old && path.indexOf('\t') < 0 && path.indexOf('\n') < 0) {
      now.put(path, new Seen(source.text(), Stamp.of(output).text()));
    }
  }

  /** Returns what the last run has found in the text of all files, see {@link #words(String)}. */
  Optional<String> words() {
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }

  /** Keeps lines about the text of all files, for a run in which none of them has changed. */
  void words(String lines) {
    words = lines;
  }

  /** Writes the stamps, unless they are the same as before. */
  void save(TreeWriter writer, String newState) throws IOException {
    if (newState.equals(state) && now.equals(before)) {
      return;
    }
    state = newState;
    StringBuilder text = new StringBuilder(head()).append('\n');
    text.append(words.replace('\n', '\t')).append('\n');
    new TreeMap<>(now)
        .forEach(
            (path, s) ->
                text.append(s.original())
                    .append('\t')
                    .append(s.output())
                    .append('\t')
                    .append(path)
                    .append('\n'));
    writer.write(file, text.toString().getBytes(StandardCharsets.UTF_8), null);
  }
}
