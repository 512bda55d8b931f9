package dev.rocport.toolchain.provision;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An extra that is on this machine.
 *
 * @param provisioned whether rocport installed it; otherwise it belongs to the machine
 * @param bin the folder of its programs; for the machine's own, that of the first one
 * @param libraries what its programs, and programs linked with it, load; empty for the machine's
 * @param variables the environment that its programs need
 */
public record ExtraTools(
    Extra extra, boolean provisioned, Path bin, String libraries, Map<String, String> variables) {

  public ExtraTools {
    variables = Map.copyOf(variables);
  }

  /** The file of one of its programs. */
  public Path program(String name) {
    return bin.resolve(name);
  }

  /** Puts all that its programs need into the variables of a program that calls them. */
  public void into(Map<String, String> environment) {
    String path = environment.getOrDefault("PATH", "");
    if (provisioned || !List.of(path.split(":")).contains(bin.toString())) {
      prepend(environment, "PATH", bin.toString());
    }
    if (!libraries.isEmpty()) {
      prepend(environment, "LD_LIBRARY_PATH", libraries);
    }
    new TreeMap<>(variables).forEach(environment::put);
  }

  private static void prepend(Map<String, String> environment, String name, String folders) {
    environment.merge(name, folders, (before, own) -> before.isEmpty() ? own : own + ":" + before);
  }
}
