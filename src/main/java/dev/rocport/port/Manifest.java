package dev.rocport.port;

import dev.rocport.core.source.TreeWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * The state of a port: one entry for each file of the output, by its path. During a run, each
 * change is appended to a journal next to the file, so that a killed run loses nothing; at the end
 * the file is rewritten and the journal deleted.
 */
final class Manifest implements AutoCloseable {
  private static final int FORMAT = 1;

  private final JsonFactory json =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
  private final Map<String, KnownFile> files = new ConcurrentSkipListMap<>();
  private final Path file;
  private final Path journal;
  private String input = "";
  private String tree = "";
  private String key = "";
  private @Nullable FileChannel log;

  /** Offset of the end of the last complete line of the journal. */
  private long journalEnd;

  private Manifest(Path file) {
    this.file = file;
    this.journal = file.resolveSibling(file.getFileName() + ".journal");
  }

  /**
   * Reads a state file; an empty manifest if there is none.
   *
   * @throws StateException if it is damaged or was written by another version
   */
  static Manifest load(Path file) throws IOException {
    Manifest manifest = new Manifest(file);
    if (Files.exists(file)) {
      manifest.readFile();
    }
    if (Files.exists(manifest.journal)) {
      manifest.readJournal();
    }
    return manifest;
  }

  /** Returns the path of the original at the last port; empty if it is not known. */
  String input() {
    return input;
  }

  /**
   * Returns the key of the last port if it was one of this tree, see {@link PortKey#ofTree}, and
   * came to its end.
   */
  Optional<String> keyOf(String wanted) {
    boolean complete = journalEnd == 0;
    return complete && !tree.isEmpty() && tree.equals(wanted) ? Optional.of(key) : Optional.empty();
  }

  /** Records of what the port is, for {@link #keyOf}; durable after {@link #save}. */
  void made(String ofTree, String withKey) {
    tree = ofTree;
    key = withKey;
  }

  /** Returns what identifies the last port of a whole tree; empty if there was none. */
  String made() {
    return tree.isEmpty() ? "" : tree + "-" + key;
  }

  @Nullable KnownFile find(String path) {
    return files.get(path);
  }

  /** Returns all entries in order of their path. */
  Collection<KnownFile> all() {
    return files.values();
  }

  /** Records a file durably. */
  void put(KnownFile known) throws IOException {
    files.put(known.path(), known);
    append(known);
  }

  /** Removes a file; durable after {@link #save}. */
  void remove(String path) {
    files.remove(path);
  }

  private synchronized void append(KnownFile known) throws IOException {
    FileChannel channel = log;
    if (channel == null) {
      Files.createDirectories(journal.getParent());
      channel = FileChannel.open(journal, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channel.truncate(journalEnd);
      log = channel;
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), line)) {
      ManifestJson.write(out, known);
    }
    line.write('\n');
    ByteBuffer bytes = ByteBuffer.wrap(line.toByteArray());
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes, journalEnd + bytes.position());
      }
      journalEnd += bytes.limit();
    } catch (IOException e) {
      channel.truncate(journalEnd); // a partial line would corrupt those that follow
      throw e;
    }
  }

  /**
   * Rewrites the state file and deletes the journal.
   *
   * @param input path of the original, for people who read the file
   */
  void save(TreeWriter writer, String input) throws IOException {
    writer.write(
        file,
        stream -> {
          try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), stream)) {
            out.writeStartObject();
            out.writeNumberProperty("format", FORMAT);
            out.writeStringProperty("input", input);
            out.writeStringProperty("tree", tree);
            out.writeStringProperty("key", key);
            out.writeArrayPropertyStart("files");
            for (KnownFile known : files.values()) {
              out.writeRaw('\n');
              ManifestJson.write(out, known);
            }
            out.writeRaw('\n');
            out.writeEndArray();
            out.writeEndObject();
            out.writeRaw('\n');
          } catch (JacksonIOException e) {
            throw e.getCause(); // Jackson wraps the I/O error in an unchecked exception
          }
        });
    close();
    Files.deleteIfExists(journal);
    journalEnd = 0;
  }

  /** Deletes the state file and the journal. */
  void delete() throws IOException {
    close();
    Files.deleteIfExists(journal);
    Files.deleteIfExists(file);
  }

  @Override
  public synchronized void close() throws IOException {
    if (log != null) {
      log.close();
      log = null;
    }
  }

  private void readFile() throws IOException {
    try (JsonParser in = json.createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("not an object");
      }
      Set<String> missing = new TreeSet<>(Set.of("files", "format"));
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = in.currentName();
        in.nextToken();
        missing.remove(name);
        switch (name) {
          case "format" -> requireFormat(in.getIntValue());
          case "input" -> input = in.getString();
          case "tree" -> tree = in.getString();
          case "key" -> key = in.getString();
          case "files" -> readFiles(in);
          default -> in.skipChildren();
        }
      }
      if (in.currentToken() != JsonToken.END_OBJECT || in.nextToken() != null) {
        throw new IllegalArgumentException("more than one object");
      }
      if (!missing.isEmpty()) {
        throw new IllegalArgumentException("no " + String.join(", no ", missing));
      }
    } catch (JacksonException | IllegalArgumentException | ArithmeticException e) {
      throw damaged(file, e);
    }
  }

  private void readFiles(JsonParser in) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw new IllegalArgumentException("the list of files is missing");
    }
    while (in.nextToken() == JsonToken.START_OBJECT) {
      KnownFile known = ManifestJson.read(in);
      files.put(known.path(), known);
    }
    if (in.currentToken() != JsonToken.END_ARRAY) {
      throw new IllegalArgumentException("a file entry is not an object");
    }
  }

  private void requireFormat(int format) {
    if (format != FORMAT) {
      throw new StateException(
          file
              + " has format "
              + format
              + ", but this rocport supports format "
              + FORMAT
              + ": use the rocport version that wrote it, or move the folder away to start over");
    }
  }

  /** A killed run may leave a partial line at the end; its file was not written yet. */
  private void readJournal() throws IOException {
    byte[] text = Files.readAllBytes(journal);
    int at = 0;
    for (int end = 0; end < text.length; end++) {
      if (text[end] != '\n') {
        continue;
      }
      try (JsonParser in = json.createParser(ObjectReadContext.empty(), text, at, end - at)) {
        if (in.nextToken() != JsonToken.START_OBJECT) {
          throw new IllegalArgumentException("not an object");
        }
        KnownFile known = ManifestJson.read(in);
        files.put(known.path(), known);
      } catch (JacksonException | IllegalArgumentException | ArithmeticException e) {
        throw damaged(journal, e);
      }
      at = end + 1;
    }
    journalEnd = at;
  }

  private static StateException damaged(Path file, Exception e) {
    String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new StateException(
        file
            + " is damaged ("
            + why
            + "): nothing was written. Restore the file, or move its folder away to start over;"
            + " rocport then does not overwrite existing files in the output");
  }
}
