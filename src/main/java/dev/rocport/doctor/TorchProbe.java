package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which Python it is, and whether its PyTorch is one for these GPUs. */
final class TorchProbe {
  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)");

  private static final Pattern SHEBANG = Pattern.compile("#!\\s*(/\\S*)(/python[0-9.]*)\\s");

  private final Machine machine;
  private final Rocm rocm;
  private final List<Observation> found = new ArrayList<>();

  private TorchProbe(Machine machine, Rocm rocm) {
    this.machine = machine;
    this.rocm = rocm;
  }

  static List<Observation> observe(Machine machine, Rocm rocm, List<Python> pythons) {
    TorchProbe probe = new TorchProbe(machine, rocm);
    if (pythons.isEmpty()) {
      probe.add(
          "python",
          Status.NOTE,
          "none",
          "PyTorch and JAX need Python.",
          "install Python, or specify it with --python");
    }
    for (Python p : pythons) {
      probe.python(p);
    }
    probe.choice(pythons);
    return probe.found;
  }

  private void python(Python p) {
    if (!p.answered()) {
      add(
          "python",
          rocm.present() ? Status.WARNING : Status.NOTE,
          p.path() + " (" + p.from() + "): " + p.failure(),
          "Its installed packages are unknown.",
          "run it by hand: " + p.path() + " -c 'import sys; print(sys.version)'");
      return;
    }
    found.add(
        Observation.ok(
            Section.PYTHON,
            "python",
            "%s (%s): Python %s in %s".formatted(p.path(), p.from(), p.version(), p.prefix())));
    if (!p.failure().isEmpty()) {
      add(
          "packages",
          Status.NOTE,
          p.failure(),
          "Some installed packages could not be checked.",
          "use Python 3.8 or later");
    }
    if (p.torch().isPresent()) {
      torch(p, p.torch().get());
    } else if (rocm.present()) {
      add(
          "torch",
          Status.NOTE,
          "not installed for this Python",
          "By default, pip installs a CUDA build.",
          "install it from the PyTorch package index for " + release());
    }
  }

  private void torch(Python p, Torch torch) {
    if (!torch.broken().isEmpty()) {
      add(
          "torch",
          Status.PROBLEM,
          "broken: " + torch.broken() + " in " + torch.folder(),
          "PyTorch cannot be imported.",
          reinstall(p));
      return;
    }
    String text = torch.version() + ", " + torch.kind() + ", in " + torch.folder();
    if (!torch.isRocm() && rocm.present()) {
      add(
          "torch",
          Status.PROBLEM,
          text,
          "It cannot use AMD GPUs: torch.version.hip is None, and a port that checks is_rocm takes"
              + " the NVIDIA path.",
          reinstall(p));
      return;
    }
    found.add(Observation.ok(Section.PYTHON, "torch", text));
    overwritten(p, torch);
    if (torch.isRocm()) {
      versions(torch);
      architectures(torch);
    }
  }

  /** Checks whether two installations overlap or exist in parallel. */
  private void overwritten(Python p, Torch torch) {
    List<Installed> all = p.packages().stream().filter(i -> i.name().equals("torch")).toList();
    Optional<Installed> here =
        all.stream().filter(i -> torch.folder().startsWith(i.folder())).findFirst();
    if (here.isPresent() && !here.get().version().equals(torch.version())) {
      add(
          "torch",
          Status.PROBLEM,
          "installed as " + here.get().version() + ", but its files belong to " + torch.version(),
          "One installation overwrote another: the libraries of both are mixed.",
          reinstall(p));
    }
    if (all.size() > 1) {
      add(
          "torch",
          Status.WARNING,
          "installed "
              + all.size()
              + " times: "
              + all.getFirst().folder()
              + " comes before "
              + all.get(1).folder(),
          "The order of the folders decides which installation is imported, and pip changes only"
              + " one of them.",
          "uninstall one of them");
    }
  }

  private void versions(Torch torch) {
    Matcher built = RELEASE.matcher(torch.hip());
    Matcher there = RELEASE.matcher(rocm.version());
    if (!built.find() || !there.find() || built.group().equals(there.group())) {
      return;
    }
    boolean major = !built.group(1).equals(there.group(1));
    add(
        "torch and ROCm",
        major ? Status.WARNING : Status.NOTE,
        "built with HIP " + torch.hip() + "; ROCm here is " + rocm.version(),
        "PyTorch includes its own libraries, but extensions are compiled with those of this"
            + " machine; the two may be incompatible.",
        "install a build for ROCm "
            + there.group()
            + ", or set ROCM_PATH to a ROCm "
            + built.group());
  }

  private void architectures(Torch torch) {
    List<String> lacking =
        rocm.architectures().stream().filter(a -> !torch.architectures().contains(a)).toList();
    if (!torch.architectures().isEmpty() && !lacking.isEmpty()) {
      add(
          "torch and GPU",
          Status.PROBLEM,
          "its libraries contain code for " + String.join(" ", torch.architectures()),
          "They contain none for " + String.join(" ", lacking) + ": matrix products fail.",
          "install a build for this GPU");
    }
  }

  /** The Python that is called and the one of the environment should be one. */
  private void choice(List<Python> pythons) {
    Optional<Python> called =
        pythons.stream().filter(p -> p.from().equals("PATH") && p.answered()).findFirst();
    called.ifPresent(this::pip);
    for (Python p : pythons) {
      boolean other = p.from().equals("VIRTUAL_ENV") || p.from().equals("CONDA_PREFIX");
      if (other && called.isPresent() && !p.prefix().equals(called.get().prefix())) {
        add(
            "which python",
            Status.WARNING,
            "%s is %s, but %s comes first in PATH"
                .formatted(p.from(), machine.variable(p.from()), called.get().path()),
            "Packages are installed for one Python, and programs run with the other.",
            "activate the environment again, or put its bin folder first in PATH");
      }
    }
  }

  /** The pip that is called should install for the Python that is called. */
  private void pip(Python called) {
    Optional<String> pip = machine.program("pip").or(() -> machine.program("pip3"));
    Matcher m = SHEBANG.matcher(pip.map(machine::text).orElse(""));
    if (!m.lookingAt()) {
      return;
    }
    String folder = m.group(1);
    boolean same =
        called.executable().startsWith(folder + "/python")
            || called.path().startsWith(folder + "/python");
    if (!same) {
      add(
          "which pip",
          Status.WARNING,
          "%s installs for %s, but %s comes first in PATH"
              .formatted(pip.orElse(""), m.group(1) + m.group(2), called.path()),
          "Programs that run with the other Python do not find the packages that this pip"
              + " installs.",
          "install with " + called.path() + " -m pip");
    }
  }

  private String reinstall(Python p) {
    return p.path()
        + " -m pip uninstall torch torchvision torchaudio triton, then install them from the"
        + " PyTorch package index for "
        + release();
  }

  private String release() {
    Matcher m = RELEASE.matcher(rocm.version());
    return m.find() ? "rocm" + m.group() : "your ROCm version";
  }

  private void add(String name, Status status, String text, String why, String fix) {
    found.add(Observation.of(Section.PYTHON, name, status, text, why, fix));
  }
}
