package dev.rocport.lsp;

import dev.rocport.assess.Suppression;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.file.Path;
import java.util.List;

/**
 * What determines the findings of a tree.
 *
 * @param suppressions those of the configuration of the tree
 * @param jobs number of threads that read files
 * @param largest size in bytes of the largest file that is analyzed
 */
public record Setup(
    RuleCatalog catalog,
    PortOptions options,
    TreeSelection selection,
    List<Suppression> suppressions,
    int jobs,
    long largest) {

  /** Reads the configuration of a tree, as the commands do. */
  public interface Source {
    /**
     * Returns the setup of a folder or a single file.
     *
     * @throws InvalidSetupException if its configuration makes no sense
     */
    Setup of(Path tree) throws InvalidSetupException;
  }

  /** A configuration that cannot be used; the message says why. */
  public static final class InvalidSetupException extends Exception {
    private static final long serialVersionUID = 1;

    public InvalidSetupException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
