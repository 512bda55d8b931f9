package dev.rocport.cuda;

import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.source.SourceFile;
import java.util.List;

/** Ports C, C++ and CUDA sources. Thread-safe: one porter serves all workers. */
public final class CudaPorter {
  private final RuleCatalog catalog;
  private final PortOptions options;

  public CudaPorter(RuleCatalog catalog, PortOptions options) {
    this.catalog = catalog;
    this.options = options;
  }

  /** First look at a file: what it declares that other files must know. */
  public ProjectIndex.Scan scan(SourceFile file) {
    return new ProjectIndex.Scan(file.path(), List.of());
  }

  /**
   * The changes that the rules ask for.
   *
   * @param file a file whose encoding is text
   * @param project the index over all files of the run
   */
  public Changes port(SourceFile file, ProjectIndex project) {
    return new Changes(file, catalog, options.filter());
  }
}
