package dev.rocport.buildsystem.shared;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.function.Predicate;

/**
 * A build system whose files are ported or only checked.
 *
 * @param name also the name of its {@code ProjectSystem}
 * @param files true for paths of its files
 * @param ports returns the port of a tree
 * @param gates forms of gates in a single-source port; empty if its files only get twins
 */
public record BuildSystem(
    String name, Predicate<String> files, Ports ports, List<BuildGate> gates) {

  public BuildSystem {
    gates = List.copyOf(gates);
  }

  /** Returns ports of trees. */
  @FunctionalInterface
  public interface Ports {
    SystemPort of(RuleCatalog catalog, PortOptions options, ProjectFiles files);
  }

  /** Returns true for paths of its files. */
  public boolean serves(String path) {
    return files.test(path);
  }

  /** Ports its files in a tree. */
  public BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    return ports.of(catalog, options, files).tree();
  }

  /** Ports a single file as a project of its own. */
  public Changes portSnippet(RuleCatalog catalog, PortOptions options, SourceFile file) {
    return ports.of(catalog, options, ProjectFiles.of(file)).snippet(file);
  }
}
