package dev.rocport.device.check;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The location of one part of a finding.
 *
 * @param role what happened there: {@code store of 4 bytes}
 * @param source file and line of the program's own code: {@code scan.hip:31}; empty where no line
 *     is known
 * @param calls the calls that were inlined there, in words; empty where there are none
 * @param threads whose lanes, in words: {@code block (3, 0, 0), lanes 0-31}; empty for the host
 * @param kernel as people write it; empty for the host
 * @param pc the offset in the code object; -1 for the host
 */
public record Site(
    String role, String source, String calls, String threads, String kernel, long pc) {
  /** Headers of algorithm libraries, whose internals only their authors can fix. */
  private static final List<String> LIBRARIES =
      List.of("/include/rocprim/", "/include/hipcub/", "/include/thrust/", "/include/rocthrust/");

  /** Their kernels, as people write them or mangled, where no lines are known. */
  private static final Pattern KERNELS =
      Pattern.compile("(?:void )?(?:(?:rocprim|hipcub|thrust)::|_ZN(?:7rocprim|6hipcub|6thrust))");

  /** The place in words: its line, or its offset in the code object where no line is known. */
  public String where() {
    return source.isEmpty() ? pc < 0 ? "the host" : "pc 0x%x".formatted(pc) : source;
  }

  /** Whether nothing of the program's own is near: it is all in a library of algorithms. */
  public boolean isOfLibrary() {
    return source.isEmpty()
        ? KERNELS.matcher(kernel).lookingAt()
        : LIBRARIES.stream().anyMatch(source::contains);
  }
}
