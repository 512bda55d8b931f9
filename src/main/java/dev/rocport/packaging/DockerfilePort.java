package dev.rocport.packaging;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.ShellCommand.Word;
import dev.rocport.packaging.TorchReleases.Release;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the sibling of a Dockerfile. */
final class DockerfilePort {
  static final String RULE = "PKG-DOCKER";

  private static final Pattern NVIDIA =
      Pattern.compile(
          "developer\\.download\\.nvidia\\.com|nvidia\\.github\\.io|cuda-keyring|cuda_\\d[\\w.]*\\.run");
  private static final Pattern TOOL =
      Pattern.compile("(?<![\\w./-])(nvidia-smi|nvcc|nvidia-ctk)(?![\\w.-])");

  private final Packages packages;
  private final SourceFile file;
  private final String text;
  private final Sibling sibling;
  private final BuildArguments arguments;
  private final CopiedFiles copies;

  DockerfilePort(Packages packages, SourceFile file) {
    this.packages = packages;
    this.file = file;
    this.text = Packages.latin(file);
    this.sibling = new Sibling(text, file.newline());
    this.arguments = new BuildArguments(text);
    this.copies = new CopiedFiles(packages, file, text, sibling);
  }

  /**
   * Writes the sibling if something is for CUDA.
   *
   * @param siblings those of requirements files
   * @return its path; empty if there is none
   */
  String port(Map<String, String> siblings) {
    List<DockerInstruction> instructions = DockerInstruction.of(text);
    Release torch = torch(instructions);
    boolean whole = true;
    arguments.clear();
    for (DockerInstruction i : instructions) {
      switch (i.keyword()) {
        case "ARG" -> {
          arguments.add(i);
          environment(i);
        }
        case "FROM" -> whole &= from(i);
        case "ENV" -> environment(i);
        case "COPY", "ADD" -> copies.copy(i, siblings);
        case "RUN" -> run(i, torch, siblings);
        case "CMD", "ENTRYPOINT", "HEALTHCHECK" -> tools(i);
        default -> {}
      }
    }
    if (!whole || !sibling.isChanged()) {
      return "";
    }
    String path = Paths.sibling(file.path(), true);
    packages.add(
        file,
        RULE,
        path,
        sibling.build(
            DockerInstruction.afterDirectives(text),
            Packages.origin(
                file,
                ": docker build -f "
                    + Paths.name(path)
                    + "; run with --device=/dev/kfd --device=/dev/dri --group-add video")));
    return path;
  }

  private Release torch(List<DockerInstruction> instructions) {
    for (DockerInstruction i : instructions) {
      if (i.keyword().equals("ARG")) {
        arguments.add(i);
      } else if (i.keyword().equals("RUN")) {
        for (ShellCommand c : commands(i)) {
          int first = c.pipInstall();
          Optional<Release> requested =
              first < 0
                  ? Optional.empty()
                  : new PipCommand(c, first).torch(arguments::expand, packages.rocm());
          if (requested.isPresent()) {
            return requested.get();
          }
        }
      }
    }
    return packages.newest();
  }

  private List<ShellCommand> commands(DockerInstruction i) {
    String body = text.substring(i.body(), i.end());
    return ShellCommand.of(text, i.body(), i.end(), body.contains("<<"));
  }

  /** Returns false if the image has no known counterpart; a sibling would then be useless. */
  private boolean from(DockerInstruction i) {
    List<ShellCommand> line = ShellCommand.of(text, i.body(), i.end(), false);
    if (line.isEmpty()) {
      return true;
    }
    for (Word w : line.getFirst().words()) {
      if (w.text().startsWith("--")) {
        continue;
      }
      String image = arguments.expand(w.text());
      Optional<Images.Twin> twin = Images.of(image, packages.rocm());
      if (twin.isEmpty()) {
        return true;
      }
      if (twin.get().name().isEmpty()) {
        packages.finding(
            file, RULE, Disposition.UNPORTED, w.start(), w.end(), image + ": " + twin.get().why());
        return false;
      }
      int[] at = arguments.ofWord(w.text());
      if (at != null) {
        // A build argument can still select another image.
        if (sibling.replace(at[1], at[2], twin.get().name())) {
          sibling.note(at[0], "was " + image + ": " + twin.get().why());
        }
        return true;
      }
      sibling.note(i.start(), "was FROM " + image + ": " + twin.get().why());
      sibling.replace(w.start(), w.end(), twin.get().name());
      return true;
    }
    return true;
  }

  private void environment(DockerInstruction i) {
    String body = text.substring(i.body(), i.end());
    Matcher old = Pattern.compile("([A-Za-z_]\\w*)[ \\t]+([^\\r\\n]+)").matcher(body);
    if (i.keyword().equals("ENV") && !body.matches("(?s)[A-Za-z_]\\w*=.*") && old.matches()) {
      setting(
          i, 0, body.length(), old.group(1), BuildArguments.unquoted(old.group(2).strip()), true);
      return;
    }
    Matcher m = BuildArguments.ASSIGNMENT.matcher(body);
    int count = 0;
    while (m.find()) {
      count++;
    }
    m.reset();
    while (m.find()) {
      setting(i, m.start(), m.end(), m.group(1), BuildArguments.unquoted(m.group(2)), count == 1);
    }
  }

  private void setting(
      DockerInstruction i, int from, int to, String name, String value, boolean alone) {
    Optional<Settings.Twin> twin = Settings.of(name, value);
    if (twin.isEmpty()) {
      return;
    }
    String now = twin.get().text();
    int start = i.body() + from;
    int end = i.body() + to;
    if (now.equals(name + "=" + value)) {
      packages.finding(file, RULE, Disposition.REVIEW, start, end, name + ": " + twin.get().why());
      return;
    }
    if (now.isEmpty()) {
      sibling.note(i.start(), "left out: " + name + "=" + value + ": " + twin.get().why());
      if (alone) {
        sibling.comment(i.start(), i.end());
      } else {
        remove(start, end);
      }
      return;
    }
    sibling.note(i.start(), "was " + name + "=" + value + ": " + twin.get().why());
    int equals = now.indexOf('=');
    boolean quote = now.substring(equals + 1).matches(".*[\\s;&|].*");
    String set = quote ? now.substring(0, equals + 1) + '"' + now.substring(equals + 1) + '"' : now;
    sibling.replace(start, end, set);
  }

  /** Removes a word with the blanks before it, or with its line if it is alone on it. */
  private void remove(int start, int end) {
    int line = sibling.lineStart(start);
    int next = text.indexOf('\n', end);
    boolean alone =
        text.substring(line, start).isBlank()
            && next >= 0
            && text.substring(end, next).strip().equals("\\");
    if (alone) {
      sibling.replace(line, next + 1, "");
      return;
    }
    int from = start;
    while (from > line && (text.charAt(from - 1) == ' ' || text.charAt(from - 1) == '\t')) {
      from--;
    }
    sibling.replace(text.substring(line, from).isBlank() ? start : from, end, "");
  }

  private void run(DockerInstruction i, Release torch, Map<String, String> siblings) {
    String body = text.substring(i.body(), i.end());
    Matcher nvidia = NVIDIA.matcher(body);
    if (nvidia.find()) {
      sibling.note(i.start(), "to be done by hand: it installs from the NVIDIA repository");
      sibling.comment(i.start(), i.end());
      packages.finding(
          file,
          RULE,
          Disposition.REVIEW,
          i.body() + nvidia.start(),
          i.body() + nvidia.end(),
          "this instruction installs from the NVIDIA repository, so it is commented out in the"
              + " ROCm sibling of this file; restore the parts that do not need CUDA");
      return;
    }
    boolean built = false;
    for (ShellCommand c : commands(i)) {
      built |= build(i, BuildCommand.of(c));
    }
    if (!built) {
      tools(i);
    }
    for (ShellCommand c : commands(i)) {
      int pip = c.pipInstall();
      int system = c.systemInstall();
      if (pip >= 0) {
        pip(i, new PipCommand(c, pip), torch, siblings);
      } else if (system >= 0) {
        system(i, c.words().subList(system, c.words().size()));
      } else if (c.words().getFirst().text().equals("export")) {
        c.words().subList(1, c.words().size()).forEach(w -> export(i, w));
      }
    }
  }

  /** Returns true if the command compiles for CUDA here and for ROCm in the sibling. */
  private boolean build(DockerInstruction i, List<BuildCommand.Change> changes) {
    for (BuildCommand.Change c : changes) {
      Word w = c.word();
      if (!c.problem().isEmpty()) {
        String message = w.text() + ": " + c.problem();
        packages.finding(file, RULE, Disposition.REVIEW, w.start(), w.end(), message);
      } else if (c.with().isEmpty()) {
        remove(w.start(), w.end());
      } else {
        sibling.replace(w.start(), w.end(), c.with());
      }
    }
    boolean changed = changes.stream().anyMatch(c -> c.problem().isEmpty());
    if (changed) {
      sibling.note(i.start(), "compiles for gfx90a and gfx942");
    }
    return changed;
  }

  private void export(DockerInstruction i, Word w) {
    Matcher m = Pattern.compile("([A-Za-z_]\\w*)=(.*)").matcher(w.text());
    if (m.matches() && text.substring(w.start(), w.end()).equals(w.text())) {
      Settings.of(m.group(1), m.group(2))
          .filter(t -> !t.text().isEmpty() && !t.text().equals(w.text()))
          .ifPresent(
              t -> {
                sibling.note(i.start(), "was " + w.text() + ": " + t.why());
                sibling.replace(w.start(), w.end(), quoted(t.text()));
              });
    }
  }

  private void pip(
      DockerInstruction i, PipCommand command, Release torch, Map<String, String> siblings) {
    PipCommand.Found found =
        command.check(
            torch, packages.rocm(), arguments::expand, path -> copies.name(path, siblings));
    for (PipCommand.Change c : found.changes()) {
      if (!c.why().isEmpty()) {
        sibling.note(i.start(), "was " + c.word().text() + ": " + c.why());
      }
      if (c.with().isEmpty()) {
        remove(c.word().start(), c.word().end());
      } else {
        sibling.replace(c.word().start(), c.word().end(), c.with());
      }
    }
    boolean index = found.index() || !found.needsIndex();
    for (PipCommand.Judged j : found.judged()) {
      Word w = j.word();
      switch (j.judgement()) {
        case Judgement.Same() -> {}
        case Judgement.Check(String why) ->
            packages.report(file, RULE, w.start(), w.end(), j.requirement().name(), j.judgement());
        case Judgement.Changed(String now, String why) -> {
          sibling.note(i.start(), "was " + w.text() + ": " + why);
          String with = quoted(now);
          if (!index) {
            index = true;
            with = "--extra-index-url " + torch.index() + " " + with;
          }
          sibling.replace(w.start(), w.end(), with);
        }
        case Judgement.Dropped(String why) -> {
          sibling.note(i.start(), "left out: " + w.text() + ": " + why);
          drop(w, found.installs());
        }
        case Judgement.Open(String why, boolean possible) -> {
          sibling.note(
              i.start(),
              (possible ? "to be done by hand: " : "not on ROCm: ") + w.text() + ": " + why);
          packages.report(file, RULE, w.start(), w.end(), j.requirement().name(), j.judgement());
          drop(w, found.installs());
        }
      }
    }
  }

  /** Removes a word. pip needs at least one word; if none remains, a harmless one replaces it. */
  private void drop(Word w, boolean enough) {
    if (enough) {
      remove(w.start(), w.end());
    } else {
      sibling.replace(w.start(), w.end(), "pip");
    }
  }

  private static String quoted(String requirement) {
    return requirement.matches("[\\w.+=-]*") ? requirement : '"' + requirement + '"';
  }

  private void system(DockerInstruction i, List<Word> words) {
    for (Word w : words) {
      String name = w.text().replaceFirst("[=/:].*", "");
      SystemPackages.leftOut("apt", name)
          .ifPresent(
              why -> {
                sibling.note(i.start(), "left out: " + w.text() + ": " + why);
                remove(w.start(), w.end());
              });
    }
  }

  private void tools(DockerInstruction i) {
    Matcher m = TOOL.matcher(text.substring(i.body(), i.end()));
    if (m.find()) {
      String tool = m.group(1);
      packages.finding(
          file,
          RULE,
          Disposition.REVIEW,
          i.body() + m.start(),
          i.body() + m.end(),
          tool
              + switch (tool) {
                case "nvcc" -> " is the CUDA compiler: use hipcc or amdclang++";
                case "nvidia-smi" -> " is for NVIDIA GPUs: use amd-smi or rocm-smi";
                default -> " is for NVIDIA GPUs: pass AMD GPUs to containers with --device";
              });
    }
  }
}
