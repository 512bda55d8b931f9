package dev.rocport.packaging;

import dev.rocport.packaging.ShellCommand.Word;
import dev.rocport.packaging.TorchReleases.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The arguments of {@code pip install} in a command, and their ROCm form. */
final class PipCommand {
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-c",
          "--constraint",
          "-e",
          "--editable",
          "-t",
          "--target",
          "--prefix",
          "--root",
          "--cache-dir",
          "--timeout",
          "--trusted-host",
          "--python",
          "-p",
          "--progress-bar",
          "--src",
          "--platform",
          "--python-version",
          "--no-binary",
          "--only-binary",
          "--proxy",
          "--retries");
  private static final Set<String> INDEX =
      Set.of(
          "-i",
          "--index-url",
          "--extra-index-url",
          "-f",
          "--find-links",
          "--index",
          "--default-index");

  private final ShellCommand command;
  private final int first;

  PipCommand(ShellCommand command, int first) {
    this.command = command;
    this.first = first;
  }

  /**
   * What is found in a command.
   *
   * @param changes new text for words
   * @param judged what was judged of which word
   * @param others whether it installs what is not a plain requirement: a file, a folder
   * @param index whether the sibling names the PyTorch index for ROCm
   * @param wants whether it is needed
   */
  record Found(
      List<Change> changes, List<Judged> judged, boolean others, boolean index, boolean wants) {
    /** True if something is left to be installed. */
    boolean installs() {
      return others
          || judged.stream()
              .map(Judged::judgement)
              .anyMatch(j -> !(j instanceof Judgement.Dropped) && !(j instanceof Judgement.Open));
    }
  }

  /** New text in the place of a word; empty text takes it away. */
  record Change(Word word, String with, String why) {}

  /** What was judged of a word. */
  record Judged(Word word, Requirement requirement, Judgement judgement) {}

  /** The release of torch that the command asks for by version. */
  Optional<Release> torch(UnaryOperator<String> expand, String rocm) {
    for (String name : List.of("torch", "torchvision", "torchaudio")) {
      for (Word w : command.words().subList(first, command.words().size())) {
        Optional<Requirement> r =
            w.text().startsWith("-") ? Optional.empty() : Requirement.parse(expand.apply(w.text()));
        if (r.isPresent() && r.get().normal().equals(name) && !r.get().spec().isEmpty()) {
          Optional<Release> release = TorchReleases.of(r.get(), rocm);
          if (release.isPresent()) {
            return release;
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Looks at all words.
   *
   * @param expand puts in the values of variables
   * @param requirements the name that a requirements file goes by for ROCm
   */
  Found look(
      Release torch,
      String rocm,
      UnaryOperator<String> expand,
      UnaryOperator<String> requirements) {
    List<Change> changes = new ArrayList<>();
    List<Judged> judged = new ArrayList<>();
    boolean others = false;
    boolean index = false;
    boolean wants = false;
    List<Word> words = command.words();
    for (int i = first; i < words.size(); i++) {
      Word w = words.get(i);
      String text = expand.apply(w.text());
      int equals = text.startsWith("--") ? text.indexOf('=') : -1;
      String option = equals > 0 ? text.substring(0, equals) : text;
      if (INDEX.contains(option)) {
        Word value = equals > 0 ? w : i + 1 < words.size() ? words.get(++i) : w;
        String url = equals > 0 ? text.substring(equals + 1) : expand.apply(value.text());
        Optional<String> now = WheelIndex.rocm(url, torch, rocm);
        if (now.isPresent()) {
          index = true;
          boolean page = option.equals("-f") || option.equals("--find-links");
          if (page && equals < 0) {
            changes.add(new Change(w, "--extra-index-url", ""));
          }
          String prefix = equals > 0 ? (page ? "--extra-index-url" : option) + "=" : "";
          changes.add(
              new Change(
                  value, prefix + now.get(), "the wheels for ROCm are in an index of their own"));
        } else if (WheelIndex.isCuda(url)) {
          if (equals < 0) {
            changes.add(new Change(w, "", ""));
          }
          changes.add(new Change(value, "", "what lies at " + url + " is for CUDA"));
        }
        index |= url.contains("/whl/rocm");
      } else if (option.equals("-r") || option.equals("--requirement")) {
        others = true;
        Word value = equals > 0 ? w : i + 1 < words.size() ? words.get(++i) : w;
        String path = equals > 0 ? text.substring(equals + 1) : value.text();
        String now = requirements.apply(path);
        if (!now.equals(path)) {
          changes.add(new Change(value, equals > 0 ? option + "=" + now : now, ""));
        }
      } else if (text.startsWith("-r") && !text.startsWith("--") && text.length() > 2) {
        others = true;
        String now = requirements.apply(text.substring(2));
        if (!now.equals(text.substring(2))) {
          changes.add(new Change(w, "-r" + now, ""));
        }
      } else if (text.startsWith("-")) {
        others |= option.equals("-e") || option.equals("--editable");
        i += WITH_VALUE.contains(text) ? 1 : 0;
      } else {
        Optional<Requirement> r = Requirement.parse(text);
        if (r.isPresent() && !text.startsWith(".") && !text.startsWith("$")) {
          Judgement j = Judgement.of(r.get(), torch, rocm);
          judged.add(new Judged(w, r.get(), j));
          wants |=
              j instanceof Judgement.Changed
                  && List.of("torch", "torchvision", "torchaudio", "xformers")
                      .contains(r.get().normal());
        } else {
          Optional<PackageTable.Row> row = PackageTable.checkout(text, rocm);
          row.ifPresent(
              x ->
                  judged.add(
                      new Judged(
                          w,
                          new Requirement(x.name(), "", "", "", ""),
                          new Judgement.Open(x.why(), x.action() == PackageTable.Action.MANUAL))));
          others |= row.isEmpty();
        }
      }
    }
    return new Found(changes, judged, others, index, wants);
  }
}
