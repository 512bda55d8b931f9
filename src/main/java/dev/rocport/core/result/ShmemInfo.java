package dev.rocport.core.result;

import java.util.List;

/**
 * An NVSHMEM name that a tree uses, and its counterpart.
 *
 * @param name the name
 * @param answer {@code direct}; {@code changed}: other arguments or another meaning; {@code added}:
 *     built on rocSHMEM by {@code rocport/shmem.h}; {@code missing}
 * @param becomes the counterpart's name; empty if there is none
 * @param since the version of rocSHMEM that it needs; empty if there is none
 * @param note what differs, or what to do; may be empty
 * @param count how often it is used
 * @param files in how many files
 * @param places {@code path:line} of each use, in order
 */
public record ShmemInfo(
    String name,
    String answer,
    String becomes,
    String since,
    String note,
    int count,
    int files,
    List<String> places) {
  public ShmemInfo {
    places = List.copyOf(places);
  }
}
