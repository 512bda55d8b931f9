package dev.rocport.port;

import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The recorded state of a ported tree; read-only. */
public final class PortMemory {
  private final List<Manifest> manifests;
  private final BaseStore store;

  private PortMemory(List<Manifest> manifests, BaseStore store) {
    this.manifests = manifests;
    this.store = store;
  }

  /**
   * The original of a ported file.
   *
   * @param file the original, under its path in the original tree
   * @param rules the rules that edited the file
   */
  public record Original(SourceFile file, Set<String> rules) {}

  /** Opens the state; empty if the folder is not a port, or its state cannot be read. */
  public static Optional<PortMemory> of(Path root) {
    Path folder = root.resolve(SourceTree.STATE);
    List<Manifest> manifests = new ArrayList<>();
    try {
      for (StateFolder.Mode mode : StateFolder.Mode.values()) {
        if (StateFolder.exists(root, mode)) {
          manifests.add(Manifest.load(folder.resolve(mode.file)));
        }
      }
      return manifests.isEmpty()
          ? Optional.empty()
          : Optional.of(new PortMemory(manifests, new BaseStore(folder.resolve("base.pack"))));
    } catch (IOException | StateException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the original of a file; empty if it was not ported, or no copy exists.
   *
   * @param path relative to the ported tree's root, with {@code /}
   */
  public Optional<Original> original(String path) {
    for (Manifest manifest : manifests) {
      KnownFile known = manifest.find(path);
      if (known != null && !known.source().isEmpty()) {
        return content(manifest, known)
            .map(
                bytes ->
                    new Original(
                        new SourceFile(known.source(), bytes), known.result().edits().keySet()));
      }
    }
    return Optional.empty();
  }

  /** Returns the stored copy, or the file in the original tree if it is unchanged. */
  private Optional<byte[]> content(Manifest manifest, KnownFile known) {
    String hash = known.made().original();
    try {
      if (store.has(hash)) {
        return Optional.of(store.get(hash));
      }
      if (manifest.input().isEmpty()) {
        return Optional.empty();
      }
      byte[] bytes = Files.readAllBytes(Path.of(manifest.input()).resolve(known.source()));
      return Sha256.of(bytes).equals(hash) ? Optional.of(bytes) : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }
}
