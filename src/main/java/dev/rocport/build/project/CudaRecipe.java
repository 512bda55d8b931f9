package dev.rocport.build.project;

import dev.rocport.cudastub.CudaStandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a build system is driven for CUDA, with the stand-in in the toolkit's place. */
public interface CudaRecipe {
  /** Whether a tree is built so; several systems may serve a tree. */
  boolean serves(Path root) throws IOException;

  /** The commands that configure, in order; run in the tree. */
  List<List<String>> configure(Site site) throws IOException;

  /** The commands that build, in order; run in the tree. */
  List<List<String>> build(Site site) throws IOException;

  /**
   * Where it is driven.
   *
   * @param mirror the copy of the tree
   * @param arguments for the project's configure, or for make
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
