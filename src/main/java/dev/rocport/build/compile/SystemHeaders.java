package dev.rocport.build.compile;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The headers that the compiler finds without flags of the project. */
public final class SystemHeaders {
  /** By the command that lists their folders: each build and each check of a process asks. */
  private static final Map<List<String>, SystemHeaders> LISTED = new ConcurrentHashMap<>();

  private final List<Path> folders;
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  private SystemHeaders(List<Path> folders) {
    this.folders = folders;
  }

  public static SystemHeaders of(Toolchain toolchain) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(toolchain.clang().toString());
    command.addAll(toolchain.hostCompile());
    command.addAll(List.of("-E", "-v", "-x", "c++", "/dev/null"));
    SystemHeaders listed = LISTED.get(command);
    if (listed != null) {
      return listed;
    }
    Exec.Outcome outcome = Exec.run(command, Path.of("/"), Map.of(), Duration.ofSeconds(60));
    List<Path> folders = new ArrayList<>();
    boolean inList = false;
    for (String line : outcome.stderr().lines().toList()) {
      if (line.startsWith("#include <...>")) {
        inList = true;
      } else if (line.startsWith("End of search list")) {
        break;
      } else if (inList) {
        folders.add(Path.of(line.strip()));
      }
    }
    SystemHeaders found = new SystemHeaders(folders);
    if (outcome.ok()) {
      LISTED.put(List.copyOf(command), found);
    }
    return found;
  }

  public boolean has(String name) {
    return known.computeIfAbsent(
        name,
        n ->
            !n.startsWith("..")
                && folders.stream().anyMatch(f -> Files.isRegularFile(f.resolve(n))));
  }
}
