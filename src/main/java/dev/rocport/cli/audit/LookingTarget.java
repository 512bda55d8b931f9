package dev.rocport.cli.audit;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.git.ChangedLines;
import dev.rocport.port.PortedFile;
import dev.rocport.port.Target;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes nothing, and shows what was read.
 *
 * @param changed which files count; empty for all
 * @param look sees each ported file; thread-safe
 */
record LookingTarget(Optional<ChangedLines> changed, Consumer<PortedFile> look) implements Target {
  @Override
  public boolean wantsAll() {
    return changed.isEmpty();
  }

  @Override
  public boolean wants(TreeEntry entry) {
    return changed.isEmpty() || changed.get().touches(entry.path(), 0, 0);
  }

  @Override
  public FileResult ported(PortedFile file) {
    look.accept(file);
    return file.result();
  }
}
