package dev.rocport.build.project;

import dev.rocport.cudastub.CudaStandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of a build system for a CUDA build with the stand-in toolkit. */
public interface CudaRecipe {
  /** Returns whether the system builds a tree; several systems may do so. */
  boolean serves(Path root) throws IOException;

  /** Returns the commands that configure, in order. They run in the tree. */
  List<List<String>> configure(Site site) throws IOException;

  /** Returns the commands that build, in order. They run in the tree. */
  List<List<String>> build(Site site) throws IOException;

  /**
   * Location and settings of a build.
   *
   * @param mirror the copy of the tree
   * @param arguments arguments for the project's configure, or for make
   */
  record Site(CudaStandIn cuda, Mirror mirror, int jobs, List<String> arguments) {
    public Site {
      arguments = List.copyOf(arguments);
    }

    Path tree() {
      return mirror.folder();
    }

    List<String> make(List<String> more) {
      List<String> command = new ArrayList<>(List.of("make", "--keep-going", "-j" + jobs));
      mirror.variables().forEach(v -> command.add(v + "=" + cuda.root()));
      command.addAll(more);
      return command;
    }
  }
}
