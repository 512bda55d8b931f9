package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Versions;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.shmem.ShmemUse;
import dev.rocport.rules.ShmemName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * The NVSHMEM names that a tree uses, their replacements and the versions of rocSHMEM that these
 * need. Receives each file as it is read. Query it after the port, since a pass may restructure
 * code that has no direct counterpart.
 */
public final class ShmemUses {
  private static final String HINT = "nvshmem";
  private static final List<String> ORDER = List.of("missing", "changed", "added", "direct");

  private record Place(String path, ShmemUse use) {
    String text() {
      return path + ":" + use.line();
    }
  }

  private final Supplier<CudaPorter> porter;

  /** Uses by file. */
  private final Map<String, List<ShmemUse>> files = new ConcurrentSkipListMap<>();

  /**
   * @param porter gives the porter of sources, if a file names something of NVSHMEM
   */
  public ShmemUses(Supplier<CudaPorter> porter) {
    this.porter = porter;
  }

  /** Searches a file of the tree if it is a source. Thread-safe. */
  public void look(TreeEntry entry, SourceFile file) {
    if (concerns(entry, file)) {
      files.put(entry.path(), porter.get().shmemUses(file));
    }
  }

  /** Returns whether a file is a source that names something of NVSHMEM. */
  public static boolean concerns(TreeEntry entry, SourceFile file) {
    return entry.isSource() && !entry.language().equals("python") && mentions(file);
  }

  private static boolean mentions(SourceFile file) {
    String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
    return text.contains(HINT) || text.contains(HINT.toUpperCase(Locale.ROOT));
  }

  /** Returns the uses by answer, from missing to direct, then by name. */
  public List<ShmemInfo> of(Result result) {
    Set<String> unported = new HashSet<>();
    for (FileReport f : result.files()) {
      for (Finding x : f.result().findings()) {
        if (x.disposition() == Disposition.UNPORTED) {
          unported.add(x.path() + ":" + x.line());
        }
      }
    }
    Map<String, List<Place>> places = new TreeMap<>();
    files.forEach(
        (path, uses) ->
            uses.forEach(
                use ->
                    places
                        .computeIfAbsent(use.name().name(), n -> new ArrayList<>())
                        .add(new Place(path, use))));
    List<ShmemInfo> infos = new ArrayList<>();
    places.forEach((name, list) -> infos.add(info(name, list, unported)));
    infos.sort(
        Comparator.comparingInt((ShmemInfo i) -> ORDER.indexOf(i.answer()))
            .thenComparing(ShmemInfo::name));
    return List.copyOf(infos);
  }

  private static ShmemInfo info(String name, List<Place> list, Set<String> unported) {
    boolean missing =
        list.stream()
            .anyMatch(
                p ->
                    (!p.use().here() || p.use().name().target().isEmpty())
                        && unported.contains(p.text()));
    ShmemName first = list.getFirst().use().name();
    boolean restructured = !missing && first.target().isEmpty();
    String answer =
        missing
            ? "missing"
            : restructured ? "changed" : first.answer().name().toLowerCase(Locale.ROOT);
    Set<String> files = new LinkedHashSet<>();
    list.forEach(p -> files.add(p.path()));
    int open = first.target().indexOf('(');
    return new ShmemInfo(
        name,
        answer,
        open < 0 ? first.target() : first.target().substring(0, open),
        since(list),
        restructured ? "" : first.row().note(),
        list.size(),
        files.size(),
        list.stream().map(Place::text).toList());
  }

  /** Returns the latest version that any of the places needs. */
  private static String since(List<Place> list) {
    String latest = "";
    for (Place p : list) {
      String needs = p.use().since();
      if (latest.isEmpty() || Versions.compare(needs, latest) > 0) {
        latest = needs;
      }
    }
    return latest;
  }
}
