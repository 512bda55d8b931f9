package dev.rocport.buildsystem.shared;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A build system: whatever goes wrong with its files is told of them, and the port goes on without
 * it.
 *
 * @param serves its files by their paths
 */
public record BuildSystem(Predicate<String> serves, Port port) {
  /** What becomes of the files of a tree. */
  public interface Port {
    BuildPort of(RuleCatalog catalog, PortOptions options, ProjectFiles files);
  }

  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    try {
      return port.of(catalog, options, files);
    } catch (StackOverflowError e) {
      return failed(catalog, options, files, "FILE-TOO-DEEP", "one of them is nested too deeply");
    } catch (RuntimeException e) {
      StackTraceElement[] at = e.getStackTrace();
      String where = at.length == 0 ? "" : " at " + at[0];
      return failed(catalog, options, files, "FILE-INTERNAL", "a rule failed: " + e + where);
    }
  }

  /** All files stay as they are; the first one tells why. */
  private BuildPort failed(
      RuleCatalog catalog, PortOptions options, ProjectFiles files, String rule, String why) {
    SortedMap<String, Changes> told = new TreeMap<>();
    for (String path : files.paths()) {
      SourceFile file = serves.test(path) && !files.isSource(path) ? files.read(path) : null;
      if (file != null && file.encoding().isText()) {
        Changes changes = new Changes(file, catalog, options.filter());
        String message = "no file of this build system was ported: " + why;
        changes.finding(rule, Disposition.UNPORTED, 0, 0, message);
        told.put(path, changes);
        break;
      }
    }
    return new BuildPort(told, new TreeMap<>(), new TreeMap<>());
  }
}
