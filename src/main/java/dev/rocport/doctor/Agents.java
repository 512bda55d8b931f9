package dev.rocport.doctor;

import dev.rocport.toolchain.runtime.Gpus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The AMD GPUs of a machine, in the driver's order: as the driver's topology in {@code /sys} tells
 * them, else as ROCm's enumerators do.
 */
final class Agents {
  private static final String NODES = "/sys/class/kfd/kfd/topology/nodes";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern ENUMERATED =
      Pattern.compile("(?m)^\\s*(?:Name:\\s+)?(gfx(?!000)[1-9][0-9a-f]{2,5})\\s*$");

  private Agents() {}

  static List<Agent> of(Machine machine) {
    List<Agent> agents = new ArrayList<>();
    List<String> nodes = new ArrayList<>(machine.list(NODES));
    nodes.removeIf(n -> !NUMBER.matcher(n).matches());
    nodes.sort(Comparator.comparingInt(Integer::parseInt));
    for (String node : nodes) {
      agent(machine.text(NODES + "/" + node + "/properties")).ifPresent(agents::add);
    }
    return agents.isEmpty() ? enumerated(machine) : List.copyOf(agents);
  }

  private static Optional<Agent> agent(String properties) {
    Map<String, Integer> values = new HashMap<>();
    String version = "";
    for (String line : properties.lines().toList()) {
      String[] words = line.strip().split("\\s+");
      if (words.length == 2 && words[0].equals("gfx_target_version")) {
        version = words[1];
      } else if (words.length == 2 && NUMBER.matcher(words[1]).matches()) {
        values.put(words[0], Integer.parseInt(words[1]));
      }
    }
    int simds = values.getOrDefault("simd_count", 0);
    int each = Math.max(1, values.getOrDefault("simd_per_cu", 1));
    int render = values.getOrDefault("drm_render_minor", 0);
    return Gpus.target(version).map(g -> new Agent(g.id(), simds / each, render));
  }

  /** {@code 9.4.2}, as in HSA_OVERRIDE_GFX_VERSION; empty if it is not such a version. */
  static Optional<String> gfxOfDotted(String version) {
    Matcher m = Pattern.compile("(\\d{1,2})\\.(\\d{1,2})\\.(\\d{1,2})").matcher(version.strip());
    return m.matches()
        ? Optional.of(
            "gfx%d%x%x"
                .formatted(
                    Integer.parseInt(m.group(1)),
                    Integer.parseInt(m.group(2)),
                    Integer.parseInt(m.group(3))))
        : Optional.empty();
  }

  private static List<Agent> enumerated(Machine machine) {
    if (!machine.exists("/dev/kfd")) {
      return List.of();
    }
    for (String tool : List.of("rocm_agent_enumerator", "rocminfo")) {
      Optional<String> program =
          machine
              .program(tool)
              .or(() -> Optional.of("/opt/rocm/bin/" + tool).filter(machine::isProgram));
      if (program.isPresent()) {
        Matcher m = ENUMERATED.matcher(machine.run(List.of(program.get())).text());
        List<Agent> agents = m.results().map(r -> new Agent(r.group(1), 0, 0)).toList();
        if (!agents.isEmpty()) {
          return agents;
        }
      }
    }
    return List.of();
  }
}
