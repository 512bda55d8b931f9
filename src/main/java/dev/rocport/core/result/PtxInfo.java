package dev.rocport.core.result;

import java.util.List;

/**
 * A PTX instruction or special register that must be replaced by hand.
 *
 * @param instruction its opcode and qualifiers; empty for whole modules and binaries
 * @param meaning what it does, or what was found; empty if unknown
 * @param advice why it was not translated, and what to do; may be empty
 * @param effort {@code minutes}, {@code hours}, {@code days}, {@code redesign}; empty if not known
 * @param count number of locations
 * @param files number of files
 * @param places {@code path:line} of each location, in order
 */
public record PtxInfo(
    String instruction,
    String meaning,
    String advice,
    String effort,
    int count,
    int files,
    List<String> places) {
  public PtxInfo {
    places = List.copyOf(places);
  }
}
