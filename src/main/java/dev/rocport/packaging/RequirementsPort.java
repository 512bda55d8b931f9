package dev.rocport.packaging;

import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.TorchReleases.Release;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the sibling of a pip requirements or constraints file. */
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

  /** Returns the paths of the files that it includes. */
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

  /** Returns the torch release that the file requires by version, or by exact version only. */
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

  /** Returns true if one of its own lines is for CUDA. */
  boolean isCuda() {
    return write(packages.newest(), Map.of(), false).isChanged();
  }

  /** Adds the sibling and reports the findings of the file. */
  void port(Release torch, Map<String, String> siblings, String path) {
    Sibling sibling = write(torch, siblings, true);
    if (!sibling.isChanged()) {
      return;
    }
    String option = Paths.name(path).contains("constraint") ? "-c " : "-r ";
    String use = ", for ROCm " + torch.rocm() + ": pip install " + option + Paths.name(path);
    packages.add(file, RULE, path, sibling, use);
  }

  private Sibling write(Release torch, Map<String, String> siblings, boolean report) {
    Sibling sibling = new Sibling(text, file.newline());
    new PipLines(packages, file, RULE, sibling, report).write(lines, torch, siblings);
    return sibling;
  }
}
