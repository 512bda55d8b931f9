package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.io.Sha256;
import dev.rocport.lang.cuda.symbols.ProjectCommands;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.cuda.symbols.ProjectIndex.Scan;
import dev.rocport.rules.PortOptions;
import dev.rocport.warp.KeptScans;
import dev.rocport.warp.WarpEvidence;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpProject;
import dev.rocport.warp.WarpScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all sources of a tree said together in an earlier run, in the user's cache, for runs that
 * need the results of some files only. They take the facts of single files from here when they need
 * them, and look at sources that have changed. Results are those of a run without evidence. What
 * else determines them is in the name of the file.
 *
 * <p>The {@linkplain CacheFile file} holds the length of the list of files (4 bytes, big-endian),
 * this list, what the files declare together, the evidence about their warp code, and the facts of
 * each file as {@link Scan#write} packs them.
 */
final class TreeEvidence implements KnownScans, KeptScans {
  private static final int HEAD = CacheFile.HEAD + Integer.BYTES;

  /** With more changed sources, evidence about the tree as it is now saves more time. */
  private static final int MOST_CHANGED = 100;

  /** Bytes of a file in the user's cache; more is not kept. */
  private static final long LARGEST = 64L << 20;

  private final Optional<CacheFile> file;
  private final Instant start;
  private final long largest;
  private byte[] bytes = {};
  private final SortedMap<String, Kept> before = new TreeMap<>();

  /** The files with facts, in order: the evidence has their numbers. */
  private final List<String> numbered = new ArrayList<>();

  private String commandsBefore = "";
  private Part declarations = Part.NONE;
  private Part warps = Part.NONE;

  /** The stamps of sources that have not changed. */
  private final Map<String, String> same = new ConcurrentHashMap<>();

  /** The facts of sources that are new or have changed; empty for those without any. */
  private final Map<String, Optional<Scan>> changed = new ConcurrentHashMap<>();

  private final Map<String, Optional<Scan>> unpacked = new HashMap<>();

  /** A part of the file. */
  private record Part(int at, int length) {
    static final Part NONE = new Part(0, 0);
  }

  /**
   * What is kept about a source.
   *
   * @param facts empty if it has none
   */
  private record Kept(String stamp, String hash, Part facts) {}

  private TreeEvidence(Optional<CacheFile> file, Instant start, long largest) {
    this.file = file;
    this.start = start;
    this.largest = largest;
  }

  /**
   * Opens the evidence about a tree.
   *
   * @param root the root of the tree
   * @param sources number of sources in the tree
   * @param key identifies the program, the rules and the options
   */
  static TreeEvidence of(Path root, int sources, String key) {
    return CacheFile.of("evidence", root, sources, key)
        .map(f -> open(f, Instant.now()))
        .orElseGet(() -> new TreeEvidence(Optional.empty(), Instant.EPOCH, 0));
  }

  /**
   * Opens it from a file.
   *
   * @param start when the run began: files that are written later, or shortly before, are read
   *     again in the next run
   */
  static TreeEvidence open(CacheFile file, Instant start) {
    return open(file, start, LARGEST);
  }

  /** The same for a file of the largest size that an array can have. */
  static TreeEvidence ofAnySize(CacheFile file) {
    return open(file, Instant.now(), Integer.MAX_VALUE - Long.BYTES);
  }

  private static TreeEvidence open(CacheFile file, Instant start, long largest) {
    TreeEvidence evidence = new TreeEvidence(Optional.of(file), start, largest);
    try {
      evidence.read(file.read());
    } catch (IOException | RuntimeException e) {
      evidence.before.clear(); // missing or damaged: everything is found out again
    }
    return evidence;
  }

  private void read(byte[] all) {
    if (all.length < HEAD) {
      return;
    }
    int at = HEAD + ByteBuffer.wrap(all).getInt(CacheFile.HEAD);
    PackedReader in = new PackedReader(Arrays.copyOfRange(all, HEAD, at));
    bytes = all;
    commandsBefore = in.text();
    declarations = new Part(at, in.integer());
    at += declarations.length();
    warps = new Part(at, in.integer());
    at += warps.length();
    int count = in.integer();
    for (int i = 0; i < count; i++) {
      String path = in.text();
      Kept kept = new Kept(in.text(), in.text(), new Part(at, in.integer()));
      at += kept.facts().length();
      before.put(path, kept);
      if (kept.facts().length() > 0) {
        numbered.add(path);
      }
    }
  }

  private byte[] bytes(Part part) {
    return Arrays.copyOfRange(bytes, part.at(), part.at() + part.length());
  }

  private PackedReader reader(Part part) {
    return new PackedReader(bytes(part));
  }

  /** Returns whether evidence is kept, and most sources are as they were. */
  boolean isUsable() {
    return !before.isEmpty() && changed.size() <= MOST_CHANGED;
  }

  @Override
  public Optional<Known> find(TreeEntry entry) {
    if (!isUsable()) {
      return Optional.of(new Known(null)); // the facts of all sources are found out again
    }
    Kept kept = before.get(entry.path());
    try {
      if (kept == null || !FileStamp.of(entry.file()).text().equals(kept.stamp())) {
        return Optional.empty();
      }
    } catch (IOException e) {
      return Optional.empty(); // who reads it reports that
    }
    same.put(entry.path(), kept.stamp());
    return Optional.of(new Known(null));
  }

  @Override
  public Optional<Known> find(TreeEntry entry, SourceFile content) {
    Kept kept = before.get(entry.path());
    if (kept == null || !kept.hash().equals(content.hash())) {
      return Optional.empty();
    }
    same.put(entry.path(), FileStamp.textOf(entry.file(), start));
    return Optional.of(new Known(null));
  }

  @Override
  public void put(TreeEntry entry, SourceFile content, @Nullable Scan scan) {
    changed.put(entry.path(), Optional.ofNullable(scan));
  }

  /** Returns the facts of a source as they were. */
  private Optional<Scan> before(String path) {
    synchronized (unpacked) {
      return unpacked.computeIfAbsent(
          path,
          p ->
              Optional.ofNullable(before.get(p))
                  .map(Kept::facts)
                  .filter(facts -> facts.length() > 0)
                  .map(facts -> Scan.read(reader(facts))));
    }
  }

  @Override
  public String path(int number) {
    return numbered.get(number);
  }

  @Override
  public Optional<WarpScan> scan(String path) {
    return before(path).map(Scan::warps);
  }

  /**
   * Returns the index of the tree as it is; all sources were looked for.
   *
   * @param mode how warp code is ported
   */
  ProjectIndex index(ProjectCommands commands, PortOptions.Warp mode) {
    Map<String, Optional<Scan>> now = new TreeMap<>(changed);
    for (String path : before.keySet()) {
      if (!same.containsKey(path)) {
        now.putIfAbsent(path, Optional.empty()); // deleted, or not read any more
      }
    }
    boolean sameFiles = commandsBefore.equals(key(commands));
    List<Scan> scansBefore = new ArrayList<>();
    SortedMap<String, Scan> scansNow = new TreeMap<>();
    SortedMap<String, WarpScan> warpsNow = new TreeMap<>();
    for (Map.Entry<String, Optional<Scan>> e : now.entrySet()) {
      String path = e.getKey();
      Optional<Scan> old = before(path);
      sameFiles &= old.isPresent() == e.getValue().isPresent();
      old.ifPresent(scansBefore::add);
      e.getValue().ifPresent(s -> scansNow.put(path, s));
      warpsNow.put(path, e.getValue().map(Scan::warps).orElseGet(() -> WarpScan.none(path)));
    }
    WarpModel decided = WarpModel.after(WarpEvidence.read(reader(warps)), this, warpsNow, mode);
    ProjectIndex.Change change =
        new ProjectIndex.Change(
            scansBefore,
            scansNow,
            sameFiles,
            new Declarations(now),
            path -> now.getOrDefault(path, before(path)).orElse(null));
    return ProjectIndex.read(reader(declarations), commands).after(change, commands, decided);
  }

  /** The facts of all sources, unpacked when they are needed for the first time. */
  private final class Declarations implements Supplier<Collection<Scan>> {
    private final Map<String, Optional<Scan>> now;
    private @Nullable List<Scan> all;

    Declarations(Map<String, Optional<Scan>> now) {
      this.now = now;
    }

    @Override
    public Collection<Scan> get() {
      List<Scan> known = all;
      if (known == null) {
        SortedMap<String, Scan> scans = new TreeMap<>();
        for (String path : numbered) {
          if (!now.containsKey(path)) {
            Kept kept = before.get(path);
            if (kept != null) {
              scans.put(path, Scan.readDeclarations(reader(kept.facts())));
            }
          }
        }
        now.forEach((path, scan) -> scan.ifPresent(s -> scans.put(path, s)));
        known = List.copyOf(scans.values());
        all = known;
      }
      return known;
    }
  }

  private static String key(ProjectCommands commands) {
    return Sha256.of(commands.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Notes that the evidence was used, and the stamps of files that were read. */
  void used() {
    try {
      long stamped =
          before.entrySet().stream()
              .filter(e -> same.containsKey(e.getKey()))
              .filter(e -> !e.getValue().stamp().equals(same.get(e.getKey())))
              .count();
      if (stamped <= MOST_CHANGED) {
        file.orElseThrow().use();
        return;
      }
      SortedMap<String, TreeCache.Kept> all = new TreeMap<>();
      before.forEach(
          (path, kept) ->
              all.put(
                  path,
                  new TreeCache.Kept(
                      same.getOrDefault(path, kept.stamp()), kept.hash(), bytes(kept.facts()))));
      write(all, commandsBefore, bytes(declarations), bytes(warps));
    } catch (IOException e) {
      // The next run finds out everything again.
    }
  }

  /**
   * Keeps the evidence about a tree.
   *
   * @param kept what is kept about the sources
   * @param scans the facts of all sources
   */
  void save(
      Map<String, TreeCache.Kept> kept,
      List<Scan> scans,
      ProjectIndex index,
      ProjectCommands commands,
      WarpProject project) {
    SortedMap<String, Scan> byPath = new TreeMap<>();
    scans.forEach(s -> byPath.put(s.path(), s));
    SortedMap<String, TreeCache.Kept> all = new TreeMap<>(kept);
    List<String> withFacts =
        all.entrySet().stream()
            .filter(e -> e.getValue().value().length > 0)
            .map(Map.Entry::getKey)
            .toList();
    if (file.isEmpty() || !withFacts.equals(List.copyOf(byPath.keySet()))) {
      return; // too much to keep
    }
    PackedWriter joined = new PackedWriter();
    index.write(joined);
    PackedWriter evidence = new PackedWriter();
    project.evidence(byPath.values().stream().map(Scan::warps).toList()).write(evidence);
    try {
      write(all, key(commands), joined.toBytes(), evidence.toBytes());
    } catch (IOException e) {
      // The next run finds out everything again.
    }
  }

  private void write(
      SortedMap<String, TreeCache.Kept> all, String commands, byte[] joined, byte[] evidence)
      throws IOException {
    PackedWriter out = new PackedWriter();
    out.text(commands);
    out.number(joined.length);
    out.number(evidence.length);
    out.number(all.size());
    all.forEach(
        (path, kept) -> {
          out.text(path);
          out.text(kept.stamp());
          out.text(kept.hash());
          out.number(kept.value().length);
        });
    byte[] list = out.toBytes();
    long length = (long) HEAD + list.length + joined.length + evidence.length;
    length += all.values().stream().mapToLong(k -> k.value().length).sum();
    if (length > largest) {
      return;
    }
    ByteBuffer content = ByteBuffer.allocate((int) length);
    content.putInt(0).putInt(list.length).put(list).put(joined).put(evidence);
    all.values().forEach(k -> content.put(k.value()));
    file.orElseThrow().write(content.array());
  }
}
