package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the last port left in the folder {@code .rocport} of its output.
 *
 * @param input the original, as the port names it
 * @param files the last results, in order of their path
 * @param pending paths of ports that a person must merge
 */
public record PortRecord(String input, List<FileResult> files, List<String> pending) {
  public PortRecord {
    files = List.copyOf(files);
    pending = List.copyOf(pending);
  }

  /**
   * Reads the record of a folder; empty if nothing was ported there.
   *
   * @throws StateException if it is damaged
   */
  public static Optional<PortRecord> read(Path root) throws IOException {
    String input = "";
    boolean found = false;
    List<FileResult> files = new ArrayList<>();
    List<String> pending = new ArrayList<>();
    for (StateFolder.Mode mode : StateFolder.Mode.values()) {
      if (!StateFolder.exists(root, mode)) {
        continue;
      }
      found = true;
      Path state = root.resolve(dev.rocport.core.source.SourceTree.STATE).resolve(mode.file);
      try (Manifest manifest = Manifest.load(state)) {
        input = input.isEmpty() ? manifest.input() : input;
        for (KnownFile known : manifest.all()) {
          if (!known.source().isEmpty()) {
            files.add(known.result());
          }
          if (known.pending() != null) {
            pending.add(known.path());
          }
        }
      }
    }
    return found ? Optional.of(new PortRecord(input, files, pending)) : Optional.empty();
  }
}
