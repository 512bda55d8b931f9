package dev.rocport.packaging;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.TorchReleases.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the sibling of a conda environment. PyTorch for ROCm is available from pip only. */
final class CondaPort {
  static final String RULE = "PKG-CONDA";

  private final Packages packages;
  private final SourceFile file;
  private final String text;
  private final Sibling sibling;

  /** Packages that conda has for CUDA only and pip for ROCm. */
  private final List<String> toPip = new ArrayList<>();

  CondaPort(Packages packages, SourceFile file) {
    this.packages = packages;
    this.file = file;
    this.text = Packages.latin(file);
    this.sibling = new Sibling(text, file.newline());
  }

  void port(Map<String, String> siblings) {
    Optional<List<Entry>> read = YamlEntries.of(text, "dependencies");
    if (read.isEmpty()) {
      return;
    }
    List<Entry> entries = read.get();
    if (entries.stream().anyMatch(e -> e.path().equals("dependencies[]") && isFlow(e))) {
      flow(entries);
      return;
    }
    Release torch = torch(entries);
    List<RequirementLine> pip = new ArrayList<>();
    for (Entry e : entries) {
      switch (e.path()) {
        case "channels[]" -> channel(e);
        case "dependencies[]" -> dependency(e, torch);
        case "dependencies[].pip[]" ->
            pip.add(new RequirementLine(e.start(), e.end(), e.value().strip(), ""));
        default -> {}
      }
    }
    boolean before = sibling.isChanged();
    new PipLines(packages, file, RULE, sibling, true).write(pip, torch, siblings);
    boolean indexed =
        pip.stream()
                .anyMatch(l -> l.requirement().filter(r -> r.normal().equals("torch")).isPresent())
            || pip.stream()
                .flatMap(l -> l.option().stream())
                .anyMatch(o -> WheelIndex.rocm(o[1], torch, packages.rocm()).isPresent());
    if (!toPip.isEmpty()) {
      toPip(entries, torch, indexed);
    }
    if (!before && !sibling.isChanged()) {
      return;
    }
    String path = Paths.sibling(file.path(), true);
    String use = ", for ROCm " + torch.rocm() + ": conda env create -f " + Paths.name(path);
    packages.add(file, RULE, path, sibling, use);
  }

  /** Returns whether an entry is in a list in brackets, which has several elements per line. */
  private boolean isFlow(Entry e) {
    return !sibling.before(e.start()).matches("\\s*-\\s+[\"']?");
  }

  private Release torch(List<Entry> entries) {
    for (Entry e : entries) {
      boolean conda = e.path().equals("dependencies[]");
      if (conda || e.path().equals("dependencies[].pip[]")) {
        Optional<Requirement> r =
            conda
                ? requirement(e.value())
                : Requirement.parse(e.value().replaceFirst("\\s--.*", ""));
        Optional<Release> release =
            r.filter(x -> x.normal().equals("torch") && !x.spec().isEmpty())
                .flatMap(x -> TorchReleases.of(x, packages.rocm()));
        if (release.isPresent()) {
          return release.get();
        }
      }
    }
    return packages.newest();
  }

  private void channel(Entry e) {
    if (!e.value().equals("nvidia") && !e.value().startsWith("nvidia/")) {
      return;
    }
    sibling.note(e.start(), "left out: " + e.value() + ": the channel has only CUDA packages");
    if (!isFlow(e)) {
      sibling.comment(e.start(), e.end());
      return;
    }
    int from = e.start();
    int to = e.end();
    boolean quoted = "\"'".indexOf(text.charAt(from - 1)) >= 0;
    from -= quoted ? 1 : 0;
    to += quoted ? 1 : 0;
    String before = sibling.before(from);
    int comma = before.length() - before.replaceFirst(",\\s*$", "").length();
    Matcher next = Pattern.compile("\\s*,\\s*").matcher(text).region(to, text.length());
    if (comma > 0) {
      sibling.replace(from - comma, to, "");
    } else {
      sibling.replace(from, next.lookingAt() ? next.end() : to, "");
    }
  }

  /** Reports a list in brackets. It gets no sibling, because several elements are on a line. */
  private void flow(List<Entry> entries) {
    for (Entry e : entries) {
      String name = e.value().replaceFirst("^[^:]*::", "").replaceFirst("[\\s<>=!~].*", "");
      if (e.path().equals("dependencies[]")
          && (name.equals("pytorch") || SystemPackages.leftOut("conda", name).isPresent())) {
        packages.finding(
            file,
            RULE,
            Disposition.REVIEW,
            e.start(),
            e.end(),
            name
                + " is for CUDA; write one dependency per line so that rocport can write a ROCm"
                + " sibling");
      }
    }
  }

  /** Converts {@code channel::name=version=build} of conda to a pip requirement. */
  private static Optional<Requirement> requirement(String spec) {
    String plain = spec.replaceFirst("^[^:]*::", "").strip();
    String[] parts = plain.split("(?<![<>=!~])=(?!=)|\\s+", 3);
    String name = parts[0].replaceFirst("[<>=!~].*", "");
    String rest = plain.substring(Math.min(plain.length(), name.length())).strip();
    String version;
    if (rest.startsWith("=") && !rest.startsWith("==")) {
      String v = rest.substring(1).replaceFirst("=.*", "");
      version =
          v.isEmpty() || v.equals("*")
              ? ""
              : "=="
                  + (v.endsWith("*") ? v.replaceFirst("\\.?\\*$", "") : v)
                  + (v.split("\\.", -1).length < 3 || v.endsWith("*") ? ".*" : "");
    } else {
      version = rest.replaceFirst("(==[^=]*)=.*", "$1");
    }
    return Requirement.parse((name.equals("pytorch") ? "torch" : name) + version);
  }

  private void dependency(Entry e, Release torch) {
    String plain = e.value().replaceFirst("^[^:]*::", "").strip();
    String name = plain.replaceFirst("[\\s<>=!~].*", "");
    Optional<String> out = SystemPackages.leftOut("conda", name);
    if (out.isPresent()) {
      sibling.note(e.start(), "left out: " + out.get());
      sibling.comment(e.start(), e.end());
      return;
    }
    Optional<Requirement> r = requirement(e.value());
    if (r.isEmpty()) {
      return;
    }
    Judgement j = Judgement.of(r.get(), torch, packages.rocm());
    switch (j) {
      case Judgement.Same() -> {}
      case Judgement.Check(String why) -> packages.report(file, RULE, e.start(), e.end(), name, j);
      case Judgement.Changed(String now, String why) -> {
        sibling.note(e.start(), "from pip instead: " + why);
        sibling.comment(e.start(), e.end());
        toPip.add(now);
      }
      case Judgement.Dropped(String why) -> {
        sibling.note(e.start(), "left out: " + why);
        sibling.comment(e.start(), e.end());
      }
      case Judgement.Open(String why, boolean possible) -> {
        sibling.note(e.start(), (possible ? "to be done by hand: " : "not on ROCm: ") + why);
        sibling.comment(e.start(), e.end());
        packages.report(file, RULE, e.start(), e.end(), name, j);
      }
    }
  }

  /** Adds pip packages before the existing pip list, or a new pip list after all entries. */
  private void toPip(List<Entry> entries, Release torch, boolean indexed) {
    List<String> lines = new ArrayList<>();
    if (!indexed) {
      lines.add("--extra-index-url " + torch.index());
    }
    lines.addAll(toPip);
    Optional<Entry> pip = last(entries, "dependencies[].pip[]");
    if (pip.isPresent()) {
      String prefix = prefix(pip.get());
      String blanks = prefix.replaceFirst("-.*", "");
      lines.addFirst("");
      append(
          pip.get(),
          lines.stream()
              .map(
                  l ->
                      l.isEmpty()
                          ? blanks + "# rocport: packages that conda provides only for CUDA"
                          : prefix + l)
              .toList());
      return;
    }
    Optional<Entry> last = last(entries, "dependencies[]");
    if (last.isEmpty()) {
      return;
    }
    String prefix = prefix(last.get());
    String deeper = " ".repeat(prefix.length()) + "- ";
    List<String> added = new ArrayList<>();
    if (entries.stream()
        .noneMatch(e -> e.path().equals("dependencies[]") && e.value().matches("pip([=<> ].*)?"))) {
      added.add(prefix + "pip");
    }
    added.add(prefix + "pip:");
    lines.forEach(l -> added.add(deeper + l));
    append(last.get(), added);
  }

  private static Optional<Entry> last(List<Entry> entries, String path) {
    return entries.stream().filter(e -> e.path().equals(path)).reduce((a, b) -> b);
  }

  /** Returns the text before an element: indentation and dash. */
  private String prefix(Entry e) {
    return sibling.before(e.start()).replaceAll("[\"']", "");
  }

  /** Adds lines after the line of an entry. */
  private void append(Entry e, List<String> lines) {
    String nl = file.newline();
    int end = text.indexOf('\n', e.end());
    if (end < 0) {
      sibling.replace(text.length(), text.length(), nl + String.join(nl, lines));
    } else {
      sibling.replace(end + 1, end + 1, String.join(nl, lines) + nl);
    }
  }
}
