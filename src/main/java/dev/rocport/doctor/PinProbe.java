package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Examines what installing the project in the working folder would install. */
final class PinProbe {
  private static final int MOST_OF_A_FILE = 20;
  private static final Pattern FILES =
      Pattern.compile(
          "(?i)(requirements|constraints|environment)[^/]*\\.(txt|in|ya?ml)"
              + "|pyproject\\.toml|setup\\.cfg|setup\\.py|Pipfile|pixi\\.toml");
  private static final Pattern LOCKS =
      Pattern.compile("uv\\.lock|poetry\\.lock|Pipfile\\.lock|pixi\\.lock|conda-lock\\.yml");
  private static final Pattern CUDA_INDEX = Pattern.compile("/whl/(nightly/)?cu\\d+");
  private static final Pattern CUDA_LOCKED =
      Pattern.compile("\\bnvidia-(cublas|cuda-runtime)-cu\\d+|\\+cu\\d{3}\\b");

  /** Strings within quotes; in the other files a line is one requirement. */
  private static final Pattern QUOTED = Pattern.compile("\"([^\"\\n]{1,300})\"|'([^'\\n]{1,300})'");

  /** {@code name = "version"} of Poetry, Pipenv and Pixi. */
  private static final Pattern KEYED =
      Pattern.compile(
          "^\\s*\"?([A-Za-z0-9][A-Za-z0-9._-]*)\"?\\s*=\\s*"
              + "(?:\\{[^}\\n]*?version\\s*=\\s*)?[\"']([^\"']*)[\"']");

  private static final Pattern BUILD_TABLE = Pattern.compile("\\s*\\[\\s*build-system\\s*\\]");
  private static final Pattern TABLE = Pattern.compile("\\s*\\[\\s*[A-Za-z].*\\]\\s*(#.*)?");
  private static final Pattern TORCH = Pattern.compile("torch|torchvision|torchaudio");
  private static final String WITHOUT_DEPS =
      "pip install --no-deps --ignore-requires-python -e . , then install its other requirements"
          + " one by one; rocport port writes ROCm versions of requirements files";

  private final Machine machine;
  private final Optional<Torch> torch;
  private final List<PackageRule> rules;
  private final List<Observation> found = new ArrayList<>();
  private int ofThisFile;

  private PinProbe(Machine machine, Optional<Torch> torch, List<PackageRule> rules) {
    this.machine = machine;
    this.torch = torch;
    this.rules = rules;
  }

  /** Reports only on machines that are meant to run programs on AMD GPUs. */
  static List<Observation> observe(
      Machine machine, Rocm rocm, List<Python> pythons, List<PackageRule> rules) {
    Optional<Torch> torch =
        pythons.stream().flatMap(p -> p.torch().stream()).filter(Torch::isRocm).findFirst();
    PinProbe probe = new PinProbe(machine, torch, rules);
    if (rocm.present()) {
      probe.folder("");
      probe.folder("requirements/");
    }
    return probe.found;
  }

  private void folder(String below) {
    for (String name : machine.list(machine.folder() + "/" + below)) {
      if (LOCKS.matcher(name).matches()) {
        lock(below + name);
      } else if (FILES.matcher(name).matches()
          || (!below.isEmpty() && name.matches("(?i).*\\.(txt|in)"))) {
        ofThisFile = 0;
        file(below + name, machine.text(machine.folder() + "/" + below + name));
      }
    }
  }

  private void lock(String name) {
    Matcher m = CUDA_LOCKED.matcher(machine.text(machine.folder() + "/" + name));
    if (m.find()) {
      add(
          name,
          Status.WARNING,
          m.group(),
          "The lock file pins CUDA builds: syncing installs them over the existing packages.",
          "do not sync on AMD machines; create a new lock file with the index of the ROCm builds");
    }
  }

  private void file(String name, String text) {
    boolean plain = name.matches("(?i).*\\.(txt|in|ya?ml|cfg)");
    boolean build = false;
    int number = 0;
    for (String raw : text.lines().toList()) {
      number++;
      String line = raw.replaceFirst("(^|\\s)#.*", "");
      if (TABLE.matcher(line).matches()) {
        build = BUILD_TABLE.matcher(line).matches();
      }
      String place = name + ":" + number;
      if (CUDA_INDEX.matcher(line).find()) {
        add(
            place,
            Status.PROBLEM,
            line.strip(),
            "Every install takes PyTorch from the index of CUDA builds.",
            "use the index of the ROCm builds on AMD machines");
      } else if (plain) {
        requirement(
            place, line.strip().replaceFirst("^-\\s+", "").replaceFirst("^[\\w-]+::", ""), build);
      } else {
        quoted(place, line, build);
      }
    }
  }

  private void quoted(String place, String line, boolean build) {
    Matcher keyed = KEYED.matcher(line);
    if (keyed.find() && !keyed.group(1).matches("version|name|requires|python")) {
      requirement(place, keyed.group(1) + " " + clause(keyed.group(2)), build);
      return;
    }
    Matcher m = QUOTED.matcher(line);
    while (m.find()) {
      requirement(place, m.group(1) == null ? m.group(2) : m.group(1), build);
    }
  }

  /** Poetry's {@code 2.4.0} is that version; {@code ^2.4} and {@code *} are lowest ones, or any. */
  private static String clause(String version) {
    if (version.matches("\\d.*")) {
      return "==" + version;
    }
    return version.startsWith("^") ? ">=" + version.substring(1) : version.replace("*", "");
  }

  private void requirement(String place, String text, boolean build) {
    // conda writes name=version=build, and pip options may follow a requirement.
    String one =
        text.replaceFirst("\\s+--.*", "").replaceFirst("^([\\w.-]+)=([\\w.]+).*", "$1==$2");
    Optional<Requirement> read = Requirement.of(one).filter(r -> !r.isForElsewhere());
    if (read.isEmpty()) {
      return;
    }
    Requirement r = read.get();
    Optional<PackageRule> rule = rules.stream().filter(p -> p.isPinned(r)).findFirst();
    if (rule.isPresent()) {
      add(
          place,
          rule.get().pinned().orElse(Status.NOTE),
          text.strip(),
          rule.get().why(),
          rule.get().fix());
    } else if (TORCH.matcher(r.name()).matches()) {
      torch(place, text.strip(), r, build);
    }
  }

  private void torch(String place, String text, Requirement r, boolean build) {
    if (build) {
      add(
          place,
          Status.WARNING,
          text,
          "A build in isolation installs the CUDA build of PyTorch from the package index and"
              + " compiles against it.",
          "pip install --no-build-isolation --no-deps .");
    } else if (torch.isEmpty()) {
      add(
          place,
          Status.WARNING,
          text,
          "No ROCm build of PyTorch is installed yet, and pip resolves this to a CUDA build.",
          "install PyTorch for ROCm first, then this with --no-deps");
    } else if (r.name().equals("torch") && !r.takes(torch.get().version())) {
      add(
          place,
          Status.WARNING,
          text,
          "The installed version is "
              + torch.get().version()
              + ": pip replaces it with a CUDA build.",
          WITHOUT_DEPS);
    }
  }

  private void add(String place, Status status, String text, String why, String fix) {
    if (++ofThisFile <= MOST_OF_A_FILE) {
      found.add(Observation.of(Section.PINS, place, status, text, why, fix));
    }
  }
}
