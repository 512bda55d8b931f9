package dev.rocport.doctor;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The AMD hardware and software of a machine.
 *
 * @param agents its GPUs
 * @param folder of ROCm; empty if there is none
 * @param version of that ROCm, such as {@code 6.4.1}; empty if not known
 * @param torch whether a Python has a ROCm build of PyTorch
 */
record Rocm(List<Agent> agents, String folder, String version, boolean torch) {
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");

  Rocm {
    agents = List.copyOf(agents);
  }

  static Rocm of(Machine machine) {
    String folder = folder(machine);
    String info = folder.isEmpty() ? "" : machine.text(folder + "/.info/version");
    Matcher m = VERSION.matcher(info);
    return new Rocm(Agents.of(machine), folder, m.find() ? m.group() : "", false);
  }

  Rocm withTorch() {
    return new Rocm(agents, folder, version, true);
  }

  /** Whether programs on this machine are to run on AMD's GPUs. */
  boolean present() {
    return !agents.isEmpty() || !folder.isEmpty() || torch;
  }

  /** The architectures of the GPUs, each once. */
  List<String> architectures() {
    return agents.stream().map(Agent::gfx).distinct().toList();
  }

  private static String folder(Machine machine) {
    List<String> named =
        Stream.of("ROCM_PATH", "ROCM_HOME")
            .map(machine::variable)
            .filter(p -> p.startsWith("/"))
            .toList();
    Optional<String> found =
        Stream.concat(named.stream(), Stream.of("/opt/rocm")).filter(machine::isFolder).findFirst();
    return found.orElse("");
  }
}
