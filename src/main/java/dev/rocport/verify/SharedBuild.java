package dev.rocport.verify;

import dev.rocport.core.result.Finding;
import dev.rocport.io.AtomicFile;
import dev.rocport.io.Folders;
import dev.rocport.io.Json;
import dev.rocport.io.LockFile;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.verify.matrix.StoredFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A ported and built tree that several processes use: the first one makes it, the others wait for
 * it. It stays at its path, because programs contain paths of their libraries. A build that failed
 * is not kept.
 *
 * @param tree must not be written to
 * @param ok whether all of it was built
 * @param findings of port and build
 */
record SharedBuild(Path tree, boolean ok, List<Finding> findings) {
  private static final ReentrantLock THREADS = new ReentrantLock();

  /** Ports and builds into a folder that does not exist. */
  @FunctionalInterface
  interface Maker {
    SharedBuild make(Path tree)
        throws IOException, InterruptedException, VerifyException, ToolchainException;
  }

  /**
   * Returns the build with a key.
   *
   * @param builds the folder of all
   * @param key hash of all that decides the build
   */
  static SharedBuild of(Path builds, String key, Maker maker)
      throws IOException, InterruptedException, VerifyException, ToolchainException {
    Path tree = builds.resolve(key).resolve("tree");
    Path done = builds.resolve(key).resolve("build.json");
    try (LockFile _ = LockFile.acquire(builds.resolve(key + ".lock"), THREADS, () -> {})) {
      Optional<List<Finding>> known = findings(done);
      if (known.isPresent()) {
        return new SharedBuild(tree, true, known.get());
      }
      // It failed, or someone was stopped in the middle of it.
      Files.deleteIfExists(done);
      Folders.delete(tree);
      Files.createDirectories(builds.resolve(key));
      SharedBuild made = maker.make(tree);
      // The cause of a failure may lie in the machine: the next cell tries again.
      if (!made.ok()) {
        return made;
      }
      AtomicFile.write(
          done,
          out ->
              Json.document(
                  out,
                  g -> {
                    g.writeStartObject();
                    StoredFindings.write(g, "findings", made.findings());
                    g.writeEndObject();
                  }));
      return made;
    }
  }

  /** The findings of a good build; empty if there is none. */
  private static Optional<List<Finding>> findings(Path done) throws IOException {
    if (!Files.exists(done)) {
      return Optional.empty();
    }
    byte[] content = Files.readAllBytes(done);
    try {
      JsonNode known = JsonMapper.shared().readTree(content);
      return Optional.of(StoredFindings.read(done, known.path("findings")));
    } catch (JacksonException | IOException e) {
      return Optional.empty();
    }
  }
}
