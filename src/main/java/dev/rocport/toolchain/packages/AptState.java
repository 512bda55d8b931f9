package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An apt of rocport's own: the machine's transport settings and keys, but its own suites, lists and
 * cache in one folder. It needs no root and leaves the machine's apt alone.
 */
final class AptState {
  /** Until an archive begins to send a package: a cache may fetch all of it first. */
  private static final Duration SENDING = Duration.ofMinutes(1);

  private final Path folder;
  private final Path conf;

  private AptState(Path folder) {
    this.folder = folder;
    this.conf = folder.resolve("apt.conf");
  }

  /** Writes the configuration; nothing is fetched yet. */
  static AptState create(Path folder, AptSource source, List<String> suites) throws IOException {
    AptState apt = new AptState(folder);
    Files.createDirectories(folder.resolve("lists/partial"));
    Files.createDirectories(folder.resolve("cache/archives/partial"));
    Files.createDirectories(folder.resolve("none.d"));
    Files.writeString(folder.resolve("status"), "");
    StringBuilder list = new StringBuilder();
    String signed = source.keyring().map(k -> "[signed-by=" + k + "] ").orElse("");
    suites.forEach(s -> list.append("deb %s%s %s main\n".formatted(signed, source.uri(), s)));
    Files.writeString(folder.resolve("sources.list"), list);
    // Given with -c, so read last: the machine's apt.conf.d cannot point apt elsewhere again.
    Files.writeString(
        apt.conf,
        """
        Dir::Etc::sourcelist "@/sources.list";
        Dir::Etc::sourceparts "@/none.d";
        Dir::Etc::preferences "@/none";
        Dir::Etc::preferencesparts "@/none.d";
        Dir::State "@";
        Dir::State::lists "@/lists";
        Dir::State::status "@/status";
        Dir::Cache "@/cache";
        Dir::Cache::pkgcache "pkgcache.bin";
        Dir::Cache::srcpkgcache "";
        APT::Sandbox::User "";
        APT::Get::AllowUnauthenticated "false";
        Acquire::AllowInsecureRepositories "false";
        Acquire::Languages "none";
        Acquire::Retries "1";
        Acquire::http::Timeout "8";
        Acquire::https::Timeout "8";
        APT::Update::Error-Mode "any";
        #clear APT::Update::Post-Invoke;
        #clear APT::Update::Post-Invoke-Success;
        """
            .replace("@", folder.toString()));
    return apt;
  }

  /**
   * Package lists on this machine.
   *
   * @param usable the suites whose lists were verified
   * @param said the last lines of apt's output
   */
  record Lists(Set<String> usable, String said) {}

  /**
   * Fetches the package lists and verifies their signatures.
   *
   * @return the usable lists; a suite that is absent or not properly signed is omitted
   * @throws ToolchainException if there are none
   */
  Lists update(List<String> suites) throws IOException, ToolchainException {
    ToolRun run = fetch();
    Set<String> usable = usable(suites);
    if (usable.size() < suites.size()) {
      // A mirror that fails once mostly answers the second time.
      run = fetch();
      usable = usable(suites);
    }
    if (usable.isEmpty()) {
      throw new ToolchainException(
          "cannot read the package lists of the configured Debian archive (no network, or a"
              + " signature was rejected):\n"
              + run.tail(6)
              + "Go online, or use 'rocport toolchain install --offline FILE.tar' with an archive"
              + " that 'rocport toolchain install --download-only FILE.tar' created on another"
              + " machine.");
    }
    return new Lists(usable, run.tail(6));
  }

  private ToolRun fetch() throws IOException {
    return ToolRun.of(
        List.of("apt-get", "-c", conf.toString(), "-qq", "update"),
        folder,
        Map.of(),
        Duration.ofMinutes(3));
  }

  private Set<String> usable(List<String> suites) throws IOException {
    Set<String> usable = new LinkedHashSet<>();
    try (Stream<Path> lists = Files.list(folder.resolve("lists"))) {
      List<String> names = lists.map(p -> p.getFileName().toString()).toList();
      for (String suite : suites) {
        // apt leaves a list in partial/ until its signature and hash are verified.
        if (names.stream().anyMatch(n -> n.contains("_dists_" + suite + "_main_binary-"))) {
          usable.add(suite);
        }
      }
    }
    return usable;
  }

  /** Versions of packages; a name ending in {@code *} matches every name with that prefix. */
  PackageIndex versions(List<String> names) throws IOException {
    List<String> command = new ArrayList<>(List.of("apt-cache", "-c", conf.toString(), "madison"));
    for (String name : names) {
      if (name.endsWith("*")) {
        String prefix = name.substring(0, name.length() - 1);
        ToolRun all = run(folder, List.of("apt-cache", "-c", conf.toString(), "pkgnames", prefix));
        all.output().lines().map(String::strip).filter(l -> !l.isEmpty()).forEach(command::add);
      } else {
        command.add(name);
      }
    }
    return PackageIndex.parse(run(folder, command).output());
  }

  /** Downloads packages into a folder; apt verifies each against the signed lists. */
  void download(List<PackageIndex.Entry> packages, Path into)
      throws IOException, ToolchainException {
    Files.createDirectories(into);
    List<String> command = new ArrayList<>(List.of("apt-get", "-c", conf.toString(), "-qq"));
    for (String protocol : List.of("http", "https")) {
      command.add("-o");
      command.add("Acquire::%s::Timeout=%d".formatted(protocol, SENDING.toSeconds()));
    }
    command.add("download");
    packages.forEach(p -> command.add(p.pinned()));
    ToolRun run = run(into, command);
    if (!run.ok()) {
      throw new ToolchainException(
          "downloading packages failed:\n" + run.tail(8) + "Run it again.");
    }
  }

  private static ToolRun run(Path folder, List<String> command) throws IOException {
    return ToolRun.of(command, folder, Map.of(), Duration.ofMinutes(20));
  }
}
