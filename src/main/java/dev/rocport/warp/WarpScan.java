package dev.rocport.warp;

import dev.rocport.tree.SyntaxTree;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Unit;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one file tells about warps.
 *
 * @param unit its functions, where something in the file hints at warps
 * @param launches those of a file that has no unit, told by tokens
 * @param includes last parts of the paths that it includes
 * @param names how often each identifier stands in the file, wherever that is; of files with device
 *     code or launches only
 * @param device true if the file has device code
 * @param content a hash of the file's bytes: what was found holds for these only
 * @param tree the tree that was made of them, as long as memory is plenty: no file needs two
 */
public record WarpScan(
    String path,
    Optional<Unit> unit,
    List<Launch> launches,
    List<String> includes,
    Map<String, Integer> names,
    boolean device,
    int content,
    SoftReference<SyntaxTree> tree) {

  /** A file of which nothing is known. */
  public static WarpScan none(String path) {
    return new WarpScan(
        path,
        Optional.empty(),
        List.of(),
        List.of(),
        Map.of(),
        false,
        0,
        new SoftReference<>(null));
  }
}
