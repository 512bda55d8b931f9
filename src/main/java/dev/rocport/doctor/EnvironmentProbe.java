package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The variables that make programs hang, go slow or fail. */
final class EnvironmentProbe {
  private EnvironmentProbe() {}

  static List<Observation> observe(Machine machine, Rocm rocm) {
    List<Observation> found = new ArrayList<>();
    Set<String> told = new HashSet<>();
    for (EnvironmentRule rule : EnvironmentRule.builtIn()) {
      if (!told.contains(rule.variable()) && rule.holds(machine, rocm)) {
        told.add(rule.variable());
        found.add(rule.observe(machine));
      }
    }
    if (rocm.present()) {
      found.addAll(VisibleDevices.observe(machine, rocm.agents().size()));
    }
    if (found.isEmpty()) {
      int looked = machine.environment().size();
      found.add(
          Observation.ok(Section.ENVIRONMENT, "variables", "no problems (" + looked + " checked)"));
    }
    return found;
  }
}
