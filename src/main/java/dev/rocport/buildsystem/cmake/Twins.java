package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Single-source ports of list files. A list file that changes gets a twin for ROCm next to it,
 * {@code CMakeLists.rocm.cmake}, and lines at its head that include the twin if USE_ROCM is on.
 */
final class Twins {
  static final String GATE = "CMAKE-GATE";
  private static final String LIST = "CMakeLists.txt";

  private final CMakeFacts facts;
  private final SortedMap<String, Changes> changes;
  private final SortedMap<String, BuildPort.Added> added;
  private final Function<SourceFile, Changes> fresh;

  Twins(
      CMakeFacts facts,
      SortedMap<String, Changes> changes,
      SortedMap<String, BuildPort.Added> added,
      Function<SourceFile, Changes> fresh) {
    this.facts = facts;
    this.changes = changes;
    this.added = added;
    this.fresh = fresh;
  }

  void port(Collection<CMakeFile> files) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> templates = new TreeMap<>();
    for (CMakeFile f : files) {
      String path = f.source().path();
      if (CMakeGate.GATE.count(f.source()) > 0 || path.contains(".rocm.cmake")) {
        continue; // ported before
      }
      Changes ported = fresh.apply(f.source());
      new ListPort(f, facts, ported, true).port();
      Changes reported = fresh.apply(f.source());
      ported.findings().forEach(reported::adopt);
      if (!ported.edits().isEmpty()) {
        byte[] twin = ported.edits().apply(f.source().bytes());
        texts.put(path, new String(twin, StandardCharsets.UTF_8));
        if (path.endsWith(".in")) {
          templates.put(name(path), name(twin(path)));
        } else if (reported.allows(GATE)) {
          reported.edit(Edit.before(0, gate(f), GATE));
        }
      }
      changes.put(path, reported);
    }
    texts.forEach(
        (path, text) -> {
          String named = text;
          for (Map.Entry<String, String> t : templates.entrySet()) {
            named =
                named.replaceAll(
                    "(?<![\\w.-])" + java.util.regex.Pattern.quote(t.getKey()), t.getValue());
          }
          added.put(twin(path), new BuildPort.Added(named, path));
        });
  }

  private static String gate(CMakeFile f) {
    List<String> lines = new ArrayList<>();
    boolean list = name(f.source().path()).equals(LIST);
    if (list && f.commands().stream().anyMatch(c -> c.name().equals("project"))) {
      lines.add("option(USE_ROCM \"Build for AMD GPUs with ROCm\" OFF)");
    }
    lines.add("if(USE_ROCM)");
    lines.add(
        "  include(\"${CMAKE_CURRENT_LIST_DIR}/%s\"%s)"
            .formatted(name(twin(f.source().path())), list ? " NO_POLICY_SCOPE" : ""));
    lines.add("  return()");
    lines.add("endif()");
    return CMakeGate.GATE.around(lines, f.source().newline());
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the path of the twin of a list file. */
  private static String twin(String path) {
    return path.endsWith(LIST)
        ? path.substring(0, path.length() - ".txt".length()) + ".rocm.cmake"
        : path.replaceFirst("\\.cmake(\\.in)?$", ".rocm.cmake$1");
  }
}
