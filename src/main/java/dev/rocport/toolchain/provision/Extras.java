package dev.rocport.toolchain.provision;

import dev.rocport.io.LockFile;
import dev.rocport.io.process.SearchPath;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds or installs {@link ExtraTools}. */
public final class Extras {
  private Extras() {}

  /**
   * Returns the machine's own, otherwise those that rocport has provisioned, otherwise newly
   * provisioned ones if the request allows it.
   *
   * @param progress receives one line for each step that takes time
   * @throws ToolchainException if there are none; the message says what to install
   */
  public static ExtraTools require(Extra extra, ToolchainRequest request, Consumer<String> progress)
      throws ToolchainException {
    Optional<ExtraTools> found = find(extra, request);
    if (found.isPresent()) {
      return found.get();
    }
    String missing =
        "this machine lacks %s (%s)".formatted(extra.title(), String.join(", ", extra.programs()));
    if (!request.provision()) {
      throw new ToolchainException(
          "%s: run 'rocport toolchain install --with %s', or '%s'"
              .formatted(missing, extra.label(), extra.advice()));
    }
    String size = extra.size().isEmpty() ? "" : " (" + extra.size() + ")";
    progress.accept(missing + ": installing it" + size);
    try {
      return install(extra, request, progress);
    } catch (ToolchainException e) {
      throw new ToolchainException(
          "%s, and rocport cannot install it; run '%s'.\n%s"
              .formatted(missing, extra.advice(), e.getMessage()),
          e);
    }
  }

  /**
   * Provisions an extra even where one is there already; does nothing for what has it meanwhile.
   */
  public static ExtraTools install(Extra extra, ToolchainRequest request, Consumer<String> progress)
      throws ToolchainException {
    try (LockFile _ = InstallLock.acquire(request.home(), progress)) {
      // Another process may have installed it while this one waited.
      Optional<ExtraTools> meanwhile =
          request.offline().isEmpty()
              ? ExtraProvisioner.installed(extra, request.home())
              : Optional.empty();
      return meanwhile.isPresent()
          ? meanwhile.get()
          : ExtraProvisioner.install(extra, request, progress);
    } catch (IOException e) {
      throw new ToolchainException(
          "cannot install %s into %s: %s".formatted(extra.title(), request.home(), e), e);
    }
  }

  /** What is there now; nothing is installed. */
  public static Optional<ExtraTools> find(Extra extra, ToolchainRequest request)
      throws ToolchainException {
    Optional<ExtraTools> own = ofMachine(extra, request.environment());
    try {
      return own.isPresent() ? own : ExtraProvisioner.installed(extra, request.home());
    } catch (IOException e) {
      throw new ToolchainException("cannot read " + request.home() + ": " + e.getMessage(), e);
    }
  }

  /** All programs in the folders of the extra and on {@code PATH}. */
  private static Optional<ExtraTools> ofMachine(Extra extra, Map<String, String> environment) {
    List<Path> folders = new ArrayList<>(extra.folders(environment));
    folders.addAll(SearchPath.folders(environment));
    for (String program : extra.programs()) {
      if (folders.stream().noneMatch(f -> Files.isExecutable(f.resolve(program)))) {
        return Optional.empty();
      }
    }
    String first = extra.programs().getFirst();
    return folders.stream()
        .filter(f -> Files.isExecutable(f.resolve(first)))
        .findFirst()
        .filter(extra::accepts)
        .map(bin -> new ExtraTools(extra, false, bin, "", Map.of()));
  }
}
