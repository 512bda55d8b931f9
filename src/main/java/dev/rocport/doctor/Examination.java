package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.List;

/** All examinations of a machine, in the order of the sections. */
public final class Examination {
  private Examination() {}

  /**
   * Looks at a machine; changes nothing there.
   *
   * @param python the interpreter to ask, as a path of that machine; empty for those that the
   *     environment offers
   */
  public static List<Observation> of(Machine machine, String python) {
    Rocm there = Rocm.of(machine);
    List<PackageRule> rules = PackageRule.builtIn();
    List<Python> pythons = Pythons.of(machine, python, PackageRule.anyOf(rules));
    boolean torch = pythons.stream().anyMatch(p -> p.torch().filter(Torch::isRocm).isPresent());
    Rocm rocm = torch ? there.withTorch() : there;
    List<Observation> all = new ArrayList<>();
    all.addAll(GpuProbe.observe(machine, rocm));
    all.addAll(SystemProbe.observe(machine, rocm));
    all.addAll(EnvironmentProbe.observe(machine, rocm));
    all.addAll(TorchProbe.observe(machine, rocm, pythons));
    all.addAll(PackageProbe.observe(machine, rocm, pythons, rules));
    all.addAll(PinProbe.observe(machine, rocm, pythons, rules));
    all.addAll(FirstRuns.observe(rocm));
    return List.copyOf(all);
  }
}
