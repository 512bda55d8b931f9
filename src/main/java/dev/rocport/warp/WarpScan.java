package dev.rocport.warp;

import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.schedule.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * What one file tells about warps.
 *
 * @param unit its functions, where something in the file hints at warps
 * @param launches those of a file that has no unit, told by tokens
 * @param includes last parts of the paths that it includes
 * @param unseen how often each identifier stands in the file, wherever that is, where the unit does
 *     not tell what for; of files with device code or launches only
 * @param device true if the file has device code
 * @param content a hash of the file's bytes: what was found holds for these only
 * @param schedule what its schedule asks for, where it was looked at
 */
public record WarpScan(
    String path,
    Optional<Unit> unit,
    List<Launch> launches,
    List<String> includes,
    Names unseen,
    boolean device,
    int content,
    Optional<Schedule> schedule) {

  /** A file of which nothing is known. */
  public static WarpScan none(String path) {
    return new WarpScan(
        path, Optional.empty(), List.of(), List.of(), new Names(), false, 0, Optional.empty());
  }
}
