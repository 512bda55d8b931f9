package dev.rocport.packaging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** The keys and values of a YAML file, each with its offset. */
final class YamlEntries {
  private static final YAMLFactory FACTORY = new YAMLFactory();

  private YamlEntries() {}

  /** A container that is being read: its path, and whether it is a list. */
  private record Level(String path, boolean list) {}

  /**
   * Returns all entries of a file that has a top-level key; empty for other files.
   *
   * @param text text with one character per byte
   */
  static Optional<List<Entry>> of(String text, String key) {
    return of(text).filter(all -> all.stream().anyMatch(e -> e.path().equals(key)));
  }

  /**
   * Returns all entries in order; a key that leads to a list or a map is an entry with an empty
   * value at the offset of the key. Empty if the file is not YAML.
   *
   * @param text text with one character per byte
   */
  static Optional<List<Entry>> of(String text) {
    // Replaces bytes above ASCII, some of which are not valid YAML characters.
    StringBuilder ascii = new StringBuilder(text);
    for (int i = 0; i < ascii.length(); i++) {
      if (ascii.charAt(i) >= 0x80) {
        ascii.setCharAt(i, i < 3 ? ' ' : 'x');
      }
    }
    try (YAMLParser in =
        (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), ascii.toString())) {
      return Optional.of(read(in, text));
    } catch (JacksonException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  private static List<Entry> read(YAMLParser in, String text) {
    List<Entry> entries = new ArrayList<>();
    Deque<Level> open = new ArrayDeque<>();
    String key = "";
    int keyStart = 0;
    for (JsonToken t = in.nextToken(); t != null; t = in.nextToken()) {
      int start = (int) in.currentTokenLocation().getCharOffset();
      int end = (int) in.currentLocation().getCharOffset();
      switch (t) {
        case START_OBJECT, START_ARRAY -> {
          String path = path(open, key);
          if (!open.isEmpty() && !open.getFirst().list) {
            entries.add(new Entry(path, "", keyStart, keyStart + key.length()));
          }
          open.push(new Level(path, t == JsonToken.START_ARRAY));
          key = "";
        }
        case END_OBJECT, END_ARRAY -> open.pop();
        case PROPERTY_NAME -> {
          key = in.getString();
          keyStart = start;
        }
        default -> {
          boolean quoted = start < text.length() && "\"'".indexOf(text.charAt(start)) >= 0;
          int from = quoted ? start + 1 : start;
          int to = Math.max(from, Math.min(text.length(), quoted ? end - 1 : end));
          String value = t.isScalarValue() ? in.getString() : "";
          entries.add(new Entry(path(open, key), value, from, to));
        }
      }
    }
    return entries;
  }

  private static String path(Deque<Level> open, String key) {
    if (open.isEmpty()) {
      return "";
    }
    Level in = open.getFirst();
    return in.list ? in.path + "[]" : in.path.isEmpty() ? key : in.path + "." + key;
  }
}
