package dev.rocport.device.nativecode;

import dev.rocport.io.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The native functions that earlier runs have compiled of one code object: a text file beside their
 * libraries. Each line has the library, the compiler with its age, the vector and accumulation
 * registers, and for each entry its index and its length. A line that cannot be used, for whatever
 * reason, costs a compilation. All loads of a code object in a process share one of these.
 */
final class KeptRegions {
  /**
   * A function.
   *
   * @param library where it is
   */
  record Kept(Path library, Entries entries) {}

  private static final Map<Path, KeptRegions> SHARED = new ConcurrentHashMap<>();

  private final Path file;
  private final List<String> lines = new ArrayList<>();
  private final Map<Integer, Kept> regions = new ConcurrentHashMap<>();
  private boolean isRead;

  /**
   * @param file it need not exist
   */
  KeptRegions(Path file) {
    this.file = file;
  }

  /** Those of a file, which all of this process share. */
  static KeptRegions shared(Path file) {
    return SHARED.computeIfAbsent(file, KeptRegions::new);
  }

  /** What is kept, by the index of each entry; what is added later comes in, too. */
  synchronized Map<Integer, Kept> regions() {
    if (!isRead) {
      isRead = true;
      read();
    }
    return Collections.unmodifiableMap(regions);
  }

  private void read() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        Kept kept = kept(line);
        if (kept != null) {
          lines.add(line);
          put(kept);
        }
      }
    } catch (IOException | RuntimeException e) {
      // What was read until here is good.
      System.err.println("rocport: " + file + " is damaged; its kernels are compiled again");
    }
  }

  private void put(Kept kept) {
    for (int i = 0; i < kept.entries().places().size(); i++) {
      if (kept.entries().lengths().get(i) > 0) {
        regions.putIfAbsent(kept.entries().places().get(i), kept);
      }
    }
  }

  private @Nullable Kept kept(String line) throws IOException {
    String[] words = line.split("\t", -1);
    Path compiler = Path.of(words[1]);
    Path library = Path.of(words[0]);
    if (!Files.exists(compiler) || !age(compiler).equals(words[2]) || !Files.exists(library)) {
      return null;
    }
    List<Integer> places = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    for (String entry : words[5].split(" ", -1)) {
      int colon = entry.indexOf(':');
      places.add(Integer.valueOf(entry.substring(0, colon)));
      lengths.add(Integer.valueOf(entry.substring(colon + 1)));
    }
    return new Kept(
        library,
        new Entries(places, lengths, Integer.parseInt(words[3]), Integer.parseInt(words[4])));
  }

  /**
   * Adds a function.
   *
   * @param compiler that compiled it
   */
  synchronized void add(Kept kept, Path compiler) throws IOException {
    put(kept);
    Entries e = kept.entries();
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < e.places().size(); i++) {
      entries.add(e.places().get(i) + ":" + e.lengths().get(i));
    }
    lines.add(
        String.join(
            "\t",
            kept.library().toString(),
            compiler.toString(),
            age(compiler),
            Integer.toString(e.vectors()),
            Integer.toString(e.accumulators()),
            String.join(" ", entries)));
    AtomicFile.write(file, out -> out.write(String.join("\n", lines) + "\n"));
  }

  private static String age(Path compiler) throws IOException {
    return Files.getLastModifiedTime(compiler).toString();
  }
}
