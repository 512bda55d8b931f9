package dev.rocport.warp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The warp facts of the files of a project in an earlier state, each unpacked when it is needed.
 */
public interface KeptScans {
  /** Returns the path of a file by its number, in order of the paths. */
  String path(int number);

  /**
   * Returns the facts of a file, always the same object; empty if there was no such file, or none
   * with facts.
   */
  Optional<WarpScan> scan(String path);

  /** Returns the facts of files by their numbers. */
  default List<WarpScan> scans(int[] numbers) {
    List<WarpScan> scans = new ArrayList<>();
    for (int n : numbers) {
      scan(path(n)).ifPresent(scans::add);
    }
    return scans;
  }
}
