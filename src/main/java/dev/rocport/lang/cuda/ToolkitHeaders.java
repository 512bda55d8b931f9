package dev.rocport.lang.cuda;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.warp.WarpScan;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Copies of headers of the CUDA toolkit in a tree. They are not ported; includes of them mean the
 * toolkit, and their definitions are not those of the project: otherwise, the names in a copied
 * {@code cuda_fp16.h}, such as {@code __shfl_sync}, would stay as they are in the whole tree.
 */
final class ToolkitHeaders {
  /** The licence at the start of each header of the toolkit. */
  private static final String LICENCE = "Licensed Deliverables";

  private static final int START = 4096;

  private ToolkitHeaders() {}

  /** Returns whether a file has the name of a CUDA header and the licence of the toolkit. */
  static boolean isCopy(SourceFile file, ApiTable api) {
    String name = file.path().substring(file.path().lastIndexOf('/') + 1);
    if (!name.endsWith(".h") && !name.endsWith(".hpp")) {
      return false;
    }
    if (api.header(name.replaceFirst("\\.hpp$", ".h")) == null) {
      return false;
    }
    byte[] bytes = file.bytes();
    int end = Math.min(bytes.length, START);
    return new String(bytes, 0, end, StandardCharsets.ISO_8859_1).contains(LICENCE);
  }

  /** Returns a scan without declarations. */
  static ProjectIndex.Scan scan(String path) {
    return new ProjectIndex.Scan(
        path,
        true,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        WarpScan.none(path));
  }
}
