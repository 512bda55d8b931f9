package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the same command would report next if nothing changed until then. The launcher compares the
 * stamps, and prints the text without starting Java if all are the same.
 */
public final class Unchanged {
  private static final String FOLDER = "unchanged";

  /** The launcher has the same number. */
  private static final String FORM = "1";

  private final TreeWriter writer;
  private final TreeStamps stamps;
  private final List<FileResult> results;

  Unchanged(TreeWriter writer, TreeStamps stamps, List<FileResult> results) {
    this.writer = writer;
    this.stamps = stamps;
    this.results = List.copyOf(results);
  }

  /** Returns the folder of these files in an output. */
  static Path folder(TreeWriter writer) {
    return writer.root().resolve(SourceTree.STATE).resolve(FOLDER);
  }

  /** Returns the results of such a run. */
  public List<FileResult> results() {
    return results;
  }

  /**
   * What the run prints to standard error.
   *
   * @param code its exit code
   * @param bytes of all files, for the speed at the end of the text; empty if it prints none
   * @param times whether it prints how long its phases took
   */
  public record Text(int code, String bytes, boolean times, String text) {}

  /**
   * Writes the text with the stamps; nothing if they cannot be written.
   *
   * @param words what else must be the same, such as the arguments, in the order of the launcher
   */
  public void write(List<String> words, Text text) {
    Path folder = folder(writer);
    Path answer = folder.resolve("answer");
    Path paths = folder.resolve("paths");
    try {
      String lines = text.code() + "\n" + text.bytes() + "\n" + (text.times() ? 1 : 0) + "\n";
      writer.write(answer, (lines + text.text()).getBytes(StandardCharsets.UTF_8), null);
      List<String> files = new ArrayList<>(List.of(answer.toString(), paths.toString()));
      stamps.all().keySet().forEach(p -> files.add(p.toString()));
      writer.write(paths, ended(files), null);
      stamps.output(answer);
      stamps.output(paths);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(ended(List.of(FORM)));
      all.writeBytes(ended(words));
      StringBuilder printed = new StringBuilder("\n");
      printed.append(stamps.all().get(answer)).append('\n');
      printed.append(stamps.all().get(paths)).append('\n');
      stamps
          .all()
          .forEach(
              (file, stamp) -> {
                if (!file.equals(answer) && !file.equals(paths)) {
                  printed.append(stamp).append('\n');
                }
              });
      all.writeBytes(printed.toString().getBytes(StandardCharsets.UTF_8));
      writer.write(folder.resolve("stamps"), all.toByteArray(), null);
    } catch (IOException | TreeStamps.UnknownException e) {
      forget(folder);
    }
  }

  private static void forget(Path folder) {
    try {
      Files.deleteIfExists(folder.resolve("stamps"));
    } catch (IOException e) {
      // Stamps that are left belong to another text, so they differ.
    }
  }

  private static byte[] ended(List<String> words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String word : words) {
      bytes.writeBytes(word.getBytes(StandardCharsets.UTF_8));
      bytes.write(0);
    }
    return bytes.toByteArray();
  }
}
