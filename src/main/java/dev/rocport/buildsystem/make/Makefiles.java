package dev.rocport.buildsystem.make;

import dev.rocport.buildsystem.command.Facts;
import dev.rocport.buildsystem.command.Syntax;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shared.SystemPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Ports makefiles and the files that they include. */
public final class Makefiles extends SystemPort {
  public static final BuildSystem SYSTEM =
      new BuildSystem("make", Makefiles::serves, Makefiles::new, List.of(MakeGate.GATE));

  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");

  private Makefiles(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    super(catalog, options, files);
  }

  /** Returns true for file names of makefiles, whether or not others include them. */
  public static boolean serves(String path) {
    return BuildFileNames.isMakefile(path);
  }

  @Override
  protected void portTree() {
    SortedMap<String, MakeFile> all = read();
    Facts facts = new Facts(Syntax.MAKE, files.copies());
    all.values().forEach(f -> MakePort.collect(f, facts));
    facts.close();
    if (!facts.isCuda()) {
      return;
    }
    if (facts.isForRocm()) {
      SourceFile first = all.values().iterator().next().source();
      Changes reported = fresh(first);
      reported.finding(
          "MAKE-THERE",
          Disposition.REVIEW,
          0,
          0,
          "these makefiles already call hipcc; they are unchanged");
      changes.put(first.path(), reported);
      return;
    }
    Map<String, List<MakeFile>> includes = includes(all);
    Twins twins = new Twins(changes, added, this::fresh);
    for (MakeFile f : all.values()) {
      String path = f.source().path();
      Predicate<String> isSet = name -> isSet(f, name, facts, includes, all.values());
      if (options.style() == Style.SINGLE_SOURCE) {
        twins.port(f, facts, isSet);
      } else {
        Changes ported = fresh(f.source());
        new MakePort(f, facts, ported, isSet).port();
        changes.put(path, ported);
      }
    }
    changes.values().removeIf(c -> c.edits().isEmpty() && c.findings().isEmpty());
  }

  /** Reads the makefiles of a tree and the files that they include. */
  private SortedMap<String, MakeFile> read() {
    SortedMap<String, MakeFile> all = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>();
    files.paths().stream().filter(BuildFileNames::isMakefile).forEach(open::add);
    Set<String> seen = new LinkedHashSet<>(open);
    while (!open.isEmpty()) {
      String path = open.remove();
      SourceFile file = files.isSource(path) ? null : files.read(path);
      if (file == null || !file.encoding().isText() || path.contains(".rocm")) {
        continue;
      }
      SourceFile text = file.withLineFeeds();
      Optional<MakeFile> made = MakeFile.of(text);
      if (made.isEmpty()) {
        if (CUDA.matcher(text.text(0, text.length())).find() && !isGenerated(text)) {
          Changes reported = fresh(text);
          reported.finding(
              "MAKE-UNKNOWN",
              Disposition.UNPORTED,
              0,
              0,
              "this file does not have GNU make syntax; it was not ported");
          changes.put(path, reported);
        }
        continue;
      }
      all.put(path, made.get());
      for (String name : made.get().included()) {
        for (String found : find(path, name, files)) {
          if (seen.add(found)) {
            open.add(found);
          }
        }
      }
    }
    return all;
  }

  private static boolean isGenerated(SourceFile file) {
    String head = file.text(0, Math.min(file.length(), 2000));
    return head.contains("enerated");
  }

  /**
   * Returns the files that a name after {@code include} may mean; leading variables match any
   * folder.
   */
  private static List<String> find(String from, String name, ProjectFiles files) {
    String tail = name.replaceAll("^(\\$[({][^)}]*[)}]/?)+", "").replaceAll("^(\\.{1,2}/)+", "");
    if (tail.isEmpty() || tail.contains("$") || tail.contains("*")) {
      return List.of();
    }
    String sibling = from.substring(0, from.lastIndexOf('/') + 1) + tail;
    if (files.paths().contains(sibling)) {
      return List.of(sibling);
    }
    return files.paths().stream().filter(p -> p.equals(tail) || p.endsWith("/" + tail)).toList();
  }

  private static Map<String, List<MakeFile>> includes(SortedMap<String, MakeFile> all) {
    Map<String, List<MakeFile>> includes = new HashMap<>();
    for (MakeFile f : all.values()) {
      List<MakeFile> found = new ArrayList<>();
      for (String name : f.included()) {
        String tail = name.substring(name.lastIndexOf('/') + 1);
        all.forEach(
            (path, other) -> {
              if (!tail.contains("$") && path.substring(path.lastIndexOf('/') + 1).equals(tail)) {
                found.add(other);
              }
            });
      }
      includes.put(f.source().path(), found);
    }
    return includes;
  }

  /**
   * Returns whether a variable is set in a file, in a file that it includes, or in all files that
   * include it.
   */
  private static boolean isSet(
      MakeFile file,
      String name,
      Facts facts,
      Map<String, List<MakeFile>> includes,
      Iterable<MakeFile> all) {
    if (sets(file, name, facts, includes, new LinkedHashSet<>())) {
      return true;
    }
    boolean included = false;
    for (MakeFile f : all) {
      if (f != file && includes.getOrDefault(f.source().path(), List.of()).contains(file)) {
        included = true;
        if (!sets(f, name, facts, includes, new LinkedHashSet<>())) {
          return false;
        }
      }
    }
    return included;
  }

  private static boolean sets(
      MakeFile file,
      String name,
      Facts facts,
      Map<String, List<MakeFile>> includes,
      Set<String> seen) {
    if (!seen.add(file.source().path())) {
      return false;
    }
    return file.parts().stream().anyMatch(p -> facts.renamed(p.name()).equals(name))
        || includes.getOrDefault(file.source().path(), List.of()).stream()
            .anyMatch(f -> sets(f, name, facts, includes, seen));
  }
}
