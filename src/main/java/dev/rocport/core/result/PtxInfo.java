package dev.rocport.core.result;

import java.util.List;

/**
 * An instruction of PTX, or a special register, that people have to replace.
 *
 * @param instruction its opcode and qualifiers; empty for whole modules and binaries
 * @param meaning what it does, or what was found; empty for one that is not known
 * @param advice why it was left, and what to do; may be empty
 * @param effort {@code minutes}, {@code hours}, {@code days}, {@code redesign}; empty if not known
 * @param count in how many places it was left
 * @param files in how many files
 * @param places {@code path:line} of each place, in order
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
