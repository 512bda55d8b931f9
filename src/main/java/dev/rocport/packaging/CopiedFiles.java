package dev.rocport.packaging;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.ShellCommand.Word;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Copies siblings of requirements files into the image. */
final class CopiedFiles {
  private final Packages packages;
  private final SourceFile file;
  private final String text;
  private final Sibling sibling;

  /** Requirements files that the image contains under the original name. */
  private final Set<String> underOldName = new HashSet<>();

  CopiedFiles(Packages packages, SourceFile file, String text, Sibling sibling) {
    this.packages = packages;
    this.file = file;
    this.text = text;
    this.sibling = sibling;
  }

  void copy(DockerInstruction i, Map<String, String> siblings) {
    List<ShellCommand> line = ShellCommand.of(text, i.body(), i.end(), false);
    if (line.isEmpty()) {
      return;
    }
    for (Word w : line.getFirst().words()) {
      if (w.text().startsWith("/usr/local/cuda")) {
        String message = w.text() + " is not in AMD images; ROCm is in /opt/rocm";
        packages.finding(
            file, DockerfilePort.RULE, Disposition.REVIEW, w.start(), w.end(), message);
        sibling.note(i.start(), "to be done by hand: " + message);
      }
    }
    List<Word> words =
        line.getFirst().words().stream().filter(w -> !w.text().startsWith("--")).toList();
    if (words.size() < 2 || text.substring(i.body(), i.end()).contains("--from=")) {
      return;
    }
    String target = words.getLast().text();
    boolean toFile = words.size() == 2 && target.matches(".*\\.(txt|in)");
    boolean noted = false;
    for (Word w : words.subList(0, words.size() - 1)) {
      String other = name(w.text(), siblings);
      if (other.equals(w.text())) {
        continue;
      }
      if (!noted) {
        sibling.note(i.start(), w.text() + " has a sibling for ROCm");
        noted = true;
      }
      if (toFile) {
        sibling.replace(w.start(), w.end(), other);
        underOldName.add(Paths.name(target));
      } else {
        // The original is also copied: other files may include it.
        sibling.replace(w.start(), w.end(), w.text() + " " + other);
      }
    }
    if (noted && !toFile && words.size() == 2 && !target.endsWith("/") && target.equals(".")) {
      sibling.replace(words.getLast().start(), words.getLast().end(), "./");
    } else if (noted && !toFile && words.size() == 2 && !target.endsWith("/")) {
      sibling.replace(words.getLast().start(), words.getLast().end(), target + "/");
    }
  }

  /** Returns the name of the sibling of a requirements file, with its folder in the image. */
  String name(String name, Map<String, String> siblings) {
    if (underOldName.contains(Paths.name(name))) {
      return name;
    }
    String here = Paths.resolve(Paths.folder(file.path()), name);
    for (String path : List.of(Paths.resolve("", name), here)) {
      String other = siblings.get(path);
      if (other != null) {
        return Paths.folder(name) + Paths.name(other);
      }
    }
    List<Map.Entry<String, String>> same =
        siblings.entrySet().stream()
            .filter(e -> Paths.name(e.getKey()).equals(Paths.name(name)))
            .toList();
    return same.size() == 1 && Paths.name(name).matches(".*\\.(txt|in)")
        ? Paths.folder(name) + Paths.name(same.getFirst().getValue())
        : name;
  }
}
