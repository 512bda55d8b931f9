package dev.rocport.device.server;

import dev.rocport.device.check.Site;
import dev.rocport.device.codeobject.BadCodeObjectException;
import dev.rocport.device.codeobject.SourceLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Places in a program's own code on the host, by its debug information. */
final class HostSites {
  /** Larger files are not read. */
  private static final long LARGEST = 1L << 28;

  /** The host stub that clang generates for a kernel: a launch is where this is called. */
  private static final String STUB = "__device_stub__";

  /**
   * A call that has not returned.
   *
   * @param file the program or library it is in
   * @param offset of the instruction in that file's addresses
   */
  record Call(String file, long offset) {}

  private final Map<String, Optional<SourceLines>> known = new HashMap<>();

  /**
   * The place of the innermost line of the program's own.
   *
   * @param calls the innermost first
   */
  synchronized Site of(String role, List<Call> calls) {
    for (Call call : calls) {
      List<SourceLines.Frame> frames =
          lines(call.file()).map(l -> l.frames(call.offset())).orElse(List.of());
      Optional<SourceLines.Frame> own =
          frames.stream()
              .filter(f -> f.place().isOwn() && !f.function().startsWith(STUB))
              .findFirst();
      if (own.isPresent()) {
        String inlined =
            frames.size() < 2
                ? ""
                : frames.stream()
                    .map(SourceLines.Frame::toString)
                    .collect(Collectors.joining(" < "));
        String function = own.get().function();
        return new Site(role, own.get().place().toString(), inlined, "", function, -1);
      }
    }
    if (calls.isEmpty()) {
      return new Site(role, "", "", "", "", -1);
    }
    Call call = calls.getFirst();
    String place = "%s+0x%x".formatted(call.file(), call.offset());
    return new Site(role, place, "compile with -g to see the line", "", "", -1);
  }

  private Optional<SourceLines> lines(String file) {
    return known.computeIfAbsent(file, HostSites::read);
  }

  private static Optional<SourceLines> read(String file) {
    try {
      Path path = Path.of(file);
      if (!Files.isRegularFile(path) || Files.size(path) > LARGEST) {
        return Optional.empty();
      }
      return Optional.of(SourceLines.ofHost(Files.readAllBytes(path)));
    } catch (IOException | InvalidPathException | BadCodeObjectException e) {
      return Optional.empty();
    }
  }
}
