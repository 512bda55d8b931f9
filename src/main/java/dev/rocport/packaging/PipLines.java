package dev.rocport.packaging;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.TorchReleases.Release;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pip lines of a file, and their form in its sibling. */
final class PipLines {
  private final Packages packages;
  private final SourceFile file;
  private final String rule;
  private final Sibling sibling;
  private final boolean report;

  /**
   * @param report whether to report findings for the file
   */
  PipLines(Packages packages, SourceFile file, String rule, Sibling sibling, boolean report) {
    this.packages = packages;
    this.file = file;
    this.rule = rule;
    this.sibling = sibling;
    this.report = report;
  }

  /** Writes all lines into the sibling. */
  void write(List<RequirementLine> lines, Release torch, Map<String, String> siblings) {
    boolean index = false;
    RequirementLine first = null;
    boolean hashes = false;
    boolean kept = false;
    for (RequirementLine line : lines) {
      Optional<String[]> option = line.option();
      if (option.isPresent()) {
        index |= option(line, option.get(), torch, siblings);
        continue;
      }
      Optional<Requirement> r = line.requirement();
      if (r.isEmpty()) {
        checkout(line);
        continue;
      }
      Judgement j = Judgement.of(r.get(), torch, packages.rocm());
      boolean changed = apply(line, r.get(), j);
      hashes |= changed && line.hasHash() && j instanceof Judgement.Changed;
      kept |= !changed && line.hasHash();
      if (first == null && j instanceof Judgement.Changed && needsIndex(r.get())) {
        first = line;
      }
    }
    if (first != null && !index) {
      sibling.note(first.start(), "the wheels for ROCm are in the PyTorch index");
      sibling.insert(first.start(), prefix(first) + "--extra-index-url " + torch.index());
    }
    if (hashes && kept && report && first != null) {
      packages.finding(
          file,
          rule,
          Disposition.REVIEW,
          first.start(),
          first.end(),
          "the changed lines have no hashes, and pip requires hashes for all lines: add them (pip"
              + " hash)");
    }
  }

  private static boolean needsIndex(Requirement r) {
    return List.of("torch", "torchvision", "torchaudio", "xformers").contains(r.normal());
  }

  /** Returns true if the sibling names the PyTorch index for ROCm afterwards. */
  private boolean option(
      RequirementLine line, String[] option, Release torch, Map<String, String> siblings) {
    String value = option[1];
    if (!line.included().isEmpty()) {
      String other = siblings.get(Paths.resolve(Paths.folder(file.path()), value));
      if (other != null) {
        String name = value.substring(0, value.lastIndexOf('/') + 1) + Paths.name(other);
        sibling.note(line.start(), line.text() + " has a sibling for ROCm");
        put(line, line.text().replace(value, name));
      }
      return false;
    }
    Optional<String> rocm = WheelIndex.rocm(value, torch, packages.rocm());
    if (rocm.isPresent()) {
      boolean page = option[0].equals("-f") || option[0].equals("--find-links");
      sibling.note(line.start(), line.text() + ": the wheels for ROCm are in a separate index");
      put(line, (page ? "--extra-index-url" : option[0]) + " " + rocm.get());
      return true;
    }
    if (WheelIndex.isCuda(value)) {
      sibling.note(line.start(), "left out: the content at this address is for CUDA");
      sibling.comment(line.start(), line.end());
      if (report) {
        packages.finding(
            file,
            rule,
            Disposition.REVIEW,
            line.start(),
            line.end(),
            "the content at this address is for CUDA, so the ROCm sibling of this file leaves it"
                + " out");
      }
      return false;
    }
    return value.contains("/whl/rocm");
  }

  private boolean apply(RequirementLine line, Requirement r, Judgement judgement) {
    switch (judgement) {
      case Judgement.Same() -> {
        return false;
      }
      case Judgement.Check(String why) -> {
        if (report) {
          packages.report(file, rule, line.start(), line.end(), r.name(), judgement);
        }
        return false;
      }
      case Judgement.Changed(String now, String why) -> {
        sibling.note(line.start(), shown(line) + ": " + why);
        put(line, now + (line.options().isEmpty() ? "" : " " + line.options()));
      }
      case Judgement.Dropped(String why) -> {
        sibling.note(line.start(), "left out: " + why);
        sibling.comment(line.start(), line.end());
      }
      case Judgement.Open(String why, boolean possible) -> {
        sibling.note(line.start(), (possible ? "to be done by hand: " : "not on ROCm: ") + why);
        sibling.comment(line.start(), line.end());
        if (report) {
          packages.report(file, rule, line.start(), line.end(), r.name(), judgement);
        }
      }
    }
    return true;
  }

  private void put(RequirementLine line, String now) {
    String comment = line.comment().isEmpty() ? "" : "  " + line.comment();
    sibling.replace(line.start(), line.end(), now + comment);
  }

  private static String shown(RequirementLine line) {
    String hash = line.hasHash() ? " (its hashes are left out)" : "";
    return line.text().replaceAll("\\s*--hash[=\\s]\\S+", "") + hash;
  }

  /** A line that names a repository: the package of that name is not built for ROCm. */
  private void checkout(RequirementLine line) {
    PackageTable.checkout(line.text(), packages.rocm())
        .ifPresent(
            row -> {
              Judgement open =
                  new Judgement.Open(row.why(), row.action() == PackageTable.Action.MANUAL);
              Requirement r = new Requirement(row.name(), "", "", "", "");
              apply(line, r, open);
            });
  }

  /** Returns the text before a line: nothing, or the dash of a list. */
  private String prefix(RequirementLine line) {
    return sibling.before(line.start()).replaceAll("[\"']", "");
  }
}
