package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Packages that do not fit a ROCm build of PyTorch, or would have pip overwrite it. */
final class PackageProbe {
  private static final Pattern TORCH =
      Pattern.compile("torch|torchvision|torchaudio|triton|pytorch-triton.*|triton-rocm");
  private static final Pattern CUDA = Pattern.compile("nvidia-.*-cu\\d+|cuda-.*");

  /** What only code that was compiled for CUDA is linked with. */
  private static final Pattern CUDA_LIBRARY =
      Pattern.compile(
          "lib(cudart|cuda|cublas|cublasLt|cudnn|cufft|nvrtc|nvToolsExt|torch_cuda|c10_cuda)\\.so.*");

  private final Machine machine;
  private final Python python;
  private final List<PackageRule> rules;
  private final List<Observation> found = new ArrayList<>();

  private PackageProbe(Machine machine, Python python, List<PackageRule> rules) {
    this.machine = machine;
    this.python = python;
    this.rules = rules;
  }

  /** Reports only on machines that are meant to run programs on AMD GPUs. */
  static List<Observation> observe(
      Machine machine, Rocm rocm, List<Python> pythons, List<PackageRule> rules) {
    List<Observation> all = new ArrayList<>();
    if (rocm.present()) {
      for (Python p : pythons) {
        PackageProbe probe = new PackageProbe(machine, p, rules);
        probe.installed();
        probe.compiled();
        if (p.torch().filter(Torch::isRocm).isPresent()) {
          probe.wanted();
        }
        all.addAll(probe.found);
        if (p.answered() && probe.found.isEmpty()) {
          all.add(Observation.ok(Section.PACKAGES, "packages", "all compatible, for " + p.path()));
        }
      }
    }
    return all;
  }

  /** One observation a rule, with all packages that it names. */
  private void installed() {
    Map<PackageRule, List<String>> byRule = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    for (Installed p : python.packages()) {
      Optional<PackageRule> rule =
          rules.stream()
              .filter(r -> r.isInstalled(p, other -> python.installed(other).isPresent()))
              .findFirst();
      // PyTorch itself is reported elsewhere.
      if (rule.isPresent() && seen.add(p.name()) && !p.name().equals("torch")) {
        byRule
            .computeIfAbsent(rule.get(), k -> new ArrayList<>())
            .add(p.name() + " " + p.version());
      }
    }
    byRule.forEach(
        (rule, names) -> {
          String first = names.getFirst().replaceFirst(" .*", "");
          String more = names.size() > 1 ? " and " + (names.size() - 1) + " more" : "";
          found.add(
              Observation.of(
                  Section.PACKAGES,
                  first + more,
                  rule.installed().orElse(Status.NOTE),
                  String.join(", ", names) + ", for " + python.path(),
                  rule.why(),
                  rule.fix()));
        });
  }

  /** Compiled modules tell by what they are linked with. */
  private void compiled() {
    for (Installed p : python.packages()) {
      for (String library : p.libraries()) {
        Optional<String> cuda =
            machine.at(library).map(ElfNeeds::of).orElse(List.of()).stream()
                .filter(n -> CUDA_LIBRARY.matcher(n).matches())
                .findFirst();
        if (cuda.isPresent()) {
          found.add(
              Observation.of(
                  Section.PACKAGES,
                  p.name(),
                  Status.PROBLEM,
                  p.name() + " " + p.version() + ": " + library + " needs " + cuda.get(),
                  "This package was compiled for CUDA: it cannot be loaded here.",
                  "install a ROCm build, or build it from source on this machine with"
                      + " --no-build-isolation --no-deps"));
          break;
        }
      }
    }
  }

  /** Requirements that what is installed does not fulfil: pip will, at the next occasion. */
  private void wanted() {
    for (Installed p : python.packages()) {
      for (String text : p.requires()) {
        Requirement.of(text).filter(r -> !r.isForElsewhere()).ifPresent(r -> wanted(p, r));
      }
    }
  }

  private void wanted(Installed p, Requirement r) {
    Optional<String> there =
        r.name().equals("torch")
            ? python.torch().map(Torch::version)
            : python.installed(r.name()).map(Installed::version);
    if (CUDA.matcher(r.name()).matches() && !p.name().startsWith("nvidia-")) {
      add(
          p,
          r,
          "It requires CUDA libraries: installing it installs them, and often a CUDA build of"
              + " PyTorch as well.");
    } else if (TORCH.matcher(r.name()).matches()
        && there.map(v -> !r.takes(v)).orElse(p.name().equals("torch"))) {
      add(
          p,
          r,
          "The installed version is "
              + there.orElse("none")
              + ": the next install or update replaces it with the required version, which the"
              + " package index provides only as a CUDA build.");
    }
  }

  private void add(Installed p, Requirement r, String why) {
    found.add(
        Observation.of(
            Section.PACKAGES,
            p.name(),
            Status.WARNING,
            "%s %s requires %s%s".formatted(p.name(), p.version(), r.name(), r.wanted()),
            why,
            "install it with --no-deps, in a version that fits the installed packages"));
  }
}
