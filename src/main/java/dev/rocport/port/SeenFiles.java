package dev.rocport.port;

import dev.rocport.core.source.TreeWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stamps of originals and outputs whose content is the recorded one. A run does not read a file
 * again whose stamp is the same: its size, its inode, the time of its last change and the time of
 * its status. Each write changes the time of the status, which programs cannot set. This is only a
 * cache: a file without a stamp is compared by its content.
 */
final class SeenFiles {
  static final String FILE = "seen.tsv";
  private static final String FORMAT = "2";

  /** Follows the stamps of a file that was searched. */
  private static final String SEARCHED = "-";

  /**
   * Stamps of an original and its output.
   *
   * @param searched whether the file, which is only copied, was searched and holds nothing to
   *     report
   */
  private record Seen(String original, String output, boolean searched) {}

  private final Path file;
  private final Instant start;
  private final Map<String, Seen> before = new TreeMap<>();
  private final Map<String, Seen> now = new ConcurrentHashMap<>();
  private String state = "";
  private String words = "";

  private SeenFiles(Path file, Instant start) {
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
    SeenFiles seen = new SeenFiles(folder.resolve(FILE), start);
    seen.state = state;
    try {
      String[] lines = Files.readString(seen.file).split("\n", -1);
      boolean whole = lines.length > 2 && lines[lines.length - 1].isEmpty();
      if (whole && lines[0].equals(seen.head())) {
        seen.words = lines[1].replace('\t', '\n');
        for (int i = 2; i < lines.length - 1; i++) {
          String[] cells = lines[i].split("\t", -1);
          if (cells.length == 4) {
            seen.before.put(cells[3], new Seen(cells[0], cells[1], cells[2].equals(SEARCHED)));
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
        || !seen.original().equals(FileStamp.of(original).text())
        || !seen.output().equals(FileStamp.of(output).text())) {
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
    FileStamp source = FileStamp.of(original);
    if (source.isOlderThan(start) && path.indexOf('\t') < 0 && path.indexOf('\n') < 0) {
      now.put(path, new Seen(source.text(), FileStamp.of(output).text(), false));
    }
  }

  /**
   * Adds the stamps of an original and its output, as this run has compared, read or written them.
   *
   * @throws TreeStamps.UnknownException if this run has no stamps of them
   */
  void stamps(String path, Path original, Path output, TreeStamps stamps)
      throws TreeStamps.UnknownException {
    Seen seen = now.get(path);
    if (seen == null) {
      throw new TreeStamps.UnknownException(path + " has no stamp");
    }
    stamps.seen(original, seen.original());
    stamps.seen(output, seen.output());
  }

  /** Notes that a file with a stamp was searched and holds nothing to report. */
  void searched(String path) {
    now.computeIfPresent(path, (p, s) -> new Seen(s.original(), s.output(), true));
  }

  /**
   * Returns whether a file was searched in this form, by the same program with the same rules, and
   * holds nothing to report.
   */
  boolean isSearched(String path) {
    Seen seen = now.get(path);
    return seen != null && seen.searched();
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
                    .append(s.searched() ? SEARCHED : "")
                    .append('\t')
                    .append(path)
                    .append('\n'));
    writer.write(file, text.toString().getBytes(StandardCharsets.UTF_8), null);
  }
}
