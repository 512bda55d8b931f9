package dev.rocport.port;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.ProgramFile;
import dev.rocport.io.Sha256;
import dev.rocport.lang.cuda.symbols.InitializedClasses;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.lang.python.RuntimeModules;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Identifies everything but the file itself that determines its port: program, rules, options,
 * index.
 */
final class PortKey {
  private final RuleCatalog catalog;
  private final PortOptions options;
  private final RenamedSources renamed;

  PortKey(RuleCatalog catalog, PortOptions options, RenamedSources renamed) {
    this.catalog = catalog;
    this.options = options;
    this.renamed = renamed;
  }

  /** Returns 16 hex digits for what determines the port of unchanged files with these paths. */
  String ofTree(List<TreeEntry> entries) {
    StringBuilder text = program();
    entries.forEach(e -> text.append(e.path()).append('\t').append(e.kind()).append('\n'));
    return Sha256.fingerprint(
        text.append(RuntimeModules.key()).append(RulesKey.of(catalog)).toString());
  }

  /** Returns 16 hex digits for what determines the facts of a source with a given content. */
  String ofScans() {
    return Sha256.fingerprint(program().append(RulesKey.of(catalog)).toString());
  }

  private StringBuilder program() {
    return new StringBuilder(ProgramFile.build().orElse(""))
        .append('\n')
        .append(options)
        .append('\n')
        .append(renamed)
        .append('\n');
  }

  /**
   * Returns 16 hex digits; with an equal key, all unchanged files have the same ports.
   *
   * @param shared see {@link #ofShared}
   */
  static String of(String shared, List<ProjectIndex.Scan> scans, ProjectIndex index) {
    StringBuilder text = new StringBuilder(shared);
    text.append(index.warpKey()).append('\n');
    scans.forEach(s -> text.append(s.path()).append(facts(index, s.path())).append('\n'));
    return Sha256.fingerprint(text.toString());
  }

  /** Returns 16 hex digits for what the ports of all files depend on. */
  String ofShared(
      List<ProjectIndex.Scan> scans, ProjectIndex index, BuildPort build, PythonProject python) {
    StringBuilder text =
        program()
            .append(index.commands())
            .append(index.mpiKey())
            .append('\n')
            .append(build.switches())
            .append(build.added())
            .append('\n')
            .append(python.key())
            .append(RuntimeModules.key());
    build
        .changes()
        .forEach(
            (path, c) -> {
              String output = Sha256.of(c.edits().apply(c.file().bytes()));
              text.append(path).append(output).append(c.findings()).append('\n');
            });
    // The uses in a file determine the compatibility header, not the ports of other files.
    text.append(index.initializedClasses()).append('\n'); // most aliases are of other classes
    Set<String> own = new TreeSet<>();
    for (ProjectIndex.Scan s : scans) {
      text.append(s.path()).append(s.unknown()).append(s.textures());
      text.append(s.shared().stream().filter(e -> !InitializedClasses.isEntry(e)).toList());
      text.append(s.pointers()).append('\n');
      own.addAll(index.ownNames(s.path()));
    }
    return Sha256.fingerprint(text.append(own).append(RulesKey.of(catalog)).toString());
  }

  /**
   * Returns 16 hex digits; with an equal key, the unchanged file has the same port.
   *
   * @param shared see {@link #ofShared}
   */
  static String ofFile(String shared, ProjectIndex index, String path) {
    return Sha256.fingerprint(shared + index.warps().plan(path).key() + facts(index, path));
  }

  /** What other files mean for one, besides its warp code. */
  private static String facts(ProjectIndex index, String path) {
    return index.ownNames(path) + " " + index.mixedNames(path) + " " + index.companions(path);
  }
}
