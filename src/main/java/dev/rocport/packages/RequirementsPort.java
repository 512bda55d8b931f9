package dev.rocport.packages;

import dev.rocport.packages.TorchReleases.Release;
import dev.rocport.report.Disposition;
import dev.rocport.source.SourceFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sibling of a file of pip's requirements or constraints. */
final class RequirementsPort {
  static final String RULE = "PKG-REQUIREMENTS";

  private final Packages packages;
  private final SourceFile file;
  private final String text;
  private final List<RequirementLine> lines;

  RequirementsPort(Packages packages, SourceFile file) {
    this.packages = packages;
    this.file = file;
    this.text = Packages.latin(file);
    this.lines = RequirementLine.of(text);
  }

  /** Paths of the files that it includes. */
  List<String> included() {
    return lines.stream()
        .map(RequirementLine::included)
        .filter(i -> !i.isEmpty() && !i.contains("://"))
        .map(i -> Paths.resolve(Paths.folder(file.path()), i))
        .toList();
  }

  SourceFile file() {
    return file;
  }

  /** The release of torch that the file asks for by version, or by exact version only. */
  Optional<Release> torch(boolean exact) {
    for (String name : List.of("torch", "torchvision", "torchaudio")) {
      for (RequirementLine line : lines) {
        Optional<Requirement> r = line.requirement().filter(x -> x.normal().equals(name));
        if (r.isPresent()
            && !r.get().isForOtherSystems()
            && !(exact ? r.get().pin() : r.get().spec()).isEmpty()) {
          return TorchReleases.of(r.get(), packages.rocm());
        }
      }
    }
    return Optional.empty();
  }

  /** True if a line of its own is for CUDA. */
  boolean isCuda() {
    return write(packages.newest(), Map.of(), false).isChanged();
  }

  /** The sibling; the findings go to the file. */
  void port(Release torch, Map<String, String> siblings, String path) {
    Sibling sibling = write(torch, siblings, true);
    if (!sibling.isChanged()) {
      return;
    }
    packages.add(
        file,
        RULE,
        path,
        sibling.build(
            text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0,
            "Written by rocport port from "
                + Paths.name(file.path())
                + ", for ROCm "
                + torch.rocm()
                + (Paths.name(path).contains("constraint")
                    ? ": pip install -c "
                    : ": pip install -r ")
                + Paths.name(path)));
  }

  private Sibling write(Release torch, Map<String, String> siblings, boolean tell) {
    Sibling sibling = new Sibling(text, file.newline());
    boolean index = false;
    RequirementLine first = null;
    boolean hashes = false;
    boolean kept = false;
    for (RequirementLine line : lines) {
      Optional<String[]> option = line.option();
      if (option.isPresent()) {
        index |= option(line, option.get(), torch, siblings, sibling, tell);
        continue;
      }
      Optional<Requirement> r = line.requirement();
      if (r.isEmpty()) {
        checkout(line, sibling, tell);
        continue;
      }
      Judgement j = Judgement.of(r.get(), torch, packages.rocm());
      boolean changed = apply(line, r.get(), j, sibling, tell);
      hashes |= changed && line.hasHash() && j instanceof Judgement.Changed;
      kept |= !changed && line.hasHash();
      if (first == null && j instanceof Judgement.Changed && needsIndex(r.get())) {
        first = line;
      }
    }
    if (first != null && !index) {
      sibling.note(first.start(), "the wheels for ROCm are in PyTorch's own index");
      sibling.insert(first.start(), "--extra-index-url " + torch.index());
    }
    if (hashes && kept && tell && first != null) {
      packages.finding(
          file,
          RULE,
          Disposition.REVIEW,
          first.start(),
          first.end(),
          "the changed lines have no hashes and pip asks for those of all: add them (pip hash)");
    }
    return sibling;
  }

  private static boolean needsIndex(Requirement r) {
    return List.of("torch", "torchvision", "torchaudio", "xformers").contains(r.normal());
  }

  /** True if the sibling names PyTorch's index for ROCm afterwards. */
  private boolean option(
      RequirementLine line,
      String[] option,
      Release torch,
      Map<String, String> siblings,
      Sibling sibling,
      boolean tell) {
    String value = option[1];
    if (!line.included().isEmpty()) {
      String other = siblings.get(Paths.resolve(Paths.folder(file.path()), value));
      if (other != null) {
        String name = value.substring(0, value.lastIndexOf('/') + 1) + Paths.name(other);
        sibling.note(line.start(), line.text() + " has a sibling for ROCm");
        put(line, line.text().replace(value, name), sibling);
      }
      return false;
    }
    Optional<String> rocm = WheelIndex.rocm(value, torch, packages.rocm());
    if (rocm.isPresent()) {
      boolean page = option[0].equals("-f") || option[0].equals("--find-links");
      sibling.note(
          line.start(), line.text() + ": the wheels for ROCm are in an index of their own");
      put(line, (page ? "--extra-index-url" : option[0]) + " " + rocm.get(), sibling);
      return true;
    }
    if (WheelIndex.isCuda(value)) {
      sibling.note(line.start(), "left out: what lies there is for CUDA");
      sibling.comment(line.start(), line.end());
      if (tell) {
        packages.finding(
            file,
            RULE,
            Disposition.REVIEW,
            line.start(),
            line.end(),
            "what lies at this address is for CUDA: the sibling leaves it out");
      }
      return false;
    }
    return value.contains("/whl/rocm");
  }

  private boolean apply(
      RequirementLine line, Requirement r, Judgement judgement, Sibling sibling, boolean tell) {
    switch (judgement) {
      case Judgement.Same() -> {
        return false;
      }
      case Judgement.Check(String why) -> {
        if (tell) {
          packages.told(file, RULE, line.start(), line.end(), r.name(), judgement);
        }
        return false;
      }
      case Judgement.Changed(String now, String why) -> {
        sibling.note(line.start(), shown(line) + ": " + why);
        put(line, now + (line.options().isEmpty() ? "" : " " + line.options()), sibling);
      }
      case Judgement.Dropped(String why) -> {
        sibling.note(line.start(), "left out: " + why);
        sibling.comment(line.start(), line.end());
      }
      case Judgement.Open(String why, boolean possible) -> {
        sibling.note(line.start(), (possible ? "to be done by hand: " : "not on ROCm: ") + why);
        sibling.comment(line.start(), line.end());
        if (tell) {
          packages.told(file, RULE, line.start(), line.end(), r.name(), judgement);
        }
      }
    }
    return true;
  }

  private static void put(RequirementLine line, String now, Sibling sibling) {
    String comment = line.comment().isEmpty() ? "" : "  " + line.comment();
    sibling.replace(line.start(), line.end(), now + comment);
  }

  private static String shown(RequirementLine line) {
    String hash = line.hasHash() ? " (its hashes are left out)" : "";
    return line.text().replaceAll("\\s*--hash[=\\s]\\S+", "") + hash;
  }

  /** A line that names a repository: what is told by its name is not built for ROCm. */
  private void checkout(RequirementLine line, Sibling sibling, boolean tell) {
    PackageTable.checkout(line.text(), packages.rocm())
        .ifPresent(
            row -> {
              Judgement open =
                  new Judgement.Open(row.why(), row.action() == PackageTable.Action.MANUAL);
              Requirement r = new Requirement(row.name(), "", "", "", "");
              apply(line, r, open, sibling, tell);
            });
  }
}
