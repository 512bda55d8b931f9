package dev.rocport.packaging;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the sibling of a Docker Compose file. */
final class ComposePort {
  private static final String RULE = DockerfilePort.RULE;
  private static final Pattern SERVICE = Pattern.compile("services\\.([^.\\[]+)\\.(.*)");

  private final Packages packages;
  private final SourceFile file;
  private final String text;
  private final Sibling sibling;
  private final Set<Integer> commented = new HashSet<>();

  ComposePort(Packages packages, SourceFile file) {
    this.packages = packages;
    this.file = file;
    this.text = Packages.latin(file);
    this.sibling = new Sibling(text, file.newline());
  }

  /**
   * Writes the sibling if something is for NVIDIA.
   *
   * @param siblings those of Dockerfiles
   */
  void port(Map<String, String> siblings) {
    Optional<List<Entry>> read = YamlEntries.of(text, "services");
    if (read.isEmpty()) {
      return;
    }
    List<Entry> entries = read.get();
    Set<String> gpu = new HashSet<>();
    for (Entry e : entries) {
      Matcher m = SERVICE.matcher(e.path());
      if (m.matches()) {
        service(e, m.group(1), m.group(2), entries, siblings, gpu);
      }
    }
    for (Entry e : entries) {
      String service = e.path().replaceFirst("^services\\.", "");
      if (e.path().startsWith("services.") && gpu.contains(service)) {
        devices(e, service, entries);
      }
    }
    if (!sibling.isChanged()) {
      return;
    }
    String path = Paths.sibling(file.path(), true);
    packages.add(file, RULE, path, sibling, ": docker compose -f " + Paths.name(path) + " up");
  }

  private void service(
      Entry e,
      String service,
      String key,
      List<Entry> entries,
      Map<String, String> siblings,
      Set<String> gpu) {
    String folder = Paths.folder(file.path());
    switch (key) {
      case "runtime" -> {
        if (e.value().equals("nvidia")) {
          gpu.add(service);
          out(e.start(), "this runtime is only for NVIDIA GPUs");
        }
      }
      case "gpus" -> {
        gpu.add(service);
        out(e.start(), "AMD GPUs are passed as devices");
      }
      case "deploy.resources.reservations.devices" -> {
        boolean nvidia =
            entries.stream()
                .anyMatch(
                    x ->
                        x.path().startsWith(e.path() + "[]")
                            && (x.value().equals("nvidia") || x.value().equals("gpu")));
        if (nvidia) {
          gpu.add(service);
          block(e, "services." + service + ".deploy", entries);
        }
      }
      case "image" ->
          image(
              e,
              entries.stream()
                  .anyMatch(
                      x ->
                          x.path().equals("services." + service + ".build")
                              || x.path().startsWith("services." + service + ".build.")));
      case "build" -> {
        String docker = Paths.resolve(folder + e.value() + "/", "Dockerfile");
        String other = siblings.get(docker);
        if (!e.value().isEmpty() && other != null) {
          String deeper = " ".repeat(indentation(e.start()) + 2);
          sibling.note(e.start(), "its Dockerfile has a sibling for ROCm");
          String nl = file.newline();
          sibling.replace(
              colon(e.start()),
              e.end() + (text.startsWith("\"", e.end()) || text.startsWith("'", e.end()) ? 1 : 0),
              ":"
                  + nl
                  + deeper
                  + "context: "
                  + e.value()
                  + nl
                  + deeper
                  + "dockerfile: "
                  + Paths.name(other));
        }
      }
      case "build.context" -> {
        String base = "services." + service + ".build.";
        boolean named = entries.stream().anyMatch(x -> x.path().startsWith(base + "dockerfile"));
        String other = siblings.get(Paths.resolve(folder + e.value() + "/", "Dockerfile"));
        if (!named && other != null) {
          sibling.note(e.start(), "its Dockerfile has a sibling for ROCm");
          sibling.insert(
              e.start(), " ".repeat(indentation(e.start())) + "dockerfile: " + Paths.name(other));
        }
      }
      case "build.dockerfile" -> {
        String context =
            entries.stream()
                .filter(x -> x.path().equals("services." + service + ".build.context"))
                .map(Entry::value)
                .findFirst()
                .orElse(".");
        String other = siblings.get(Paths.resolve(folder + context + "/", e.value()));
        if (other != null) {
          sibling.note(e.start(), "was " + e.value());
          sibling.replace(
              e.start(),
              e.end(),
              e.value().substring(0, e.value().lastIndexOf('/') + 1) + Paths.name(other));
        }
      }
      default -> {
        if (key.equals("environment[]") && e.value().contains("=")) {
          int equals = e.value().indexOf('=');
          setting(e, e.value().substring(0, equals), e.value().substring(equals + 1), true);
        } else if (key.startsWith("environment.")) {
          setting(e, key.substring("environment.".length()), e.value(), false);
        }
      }
    }
  }

  private void image(Entry e, boolean built) {
    Optional<Images.Twin> twin = built ? Optional.empty() : Images.of(e.value(), packages.rocm());
    if (twin.isPresent() && twin.get().name().isEmpty()) {
      packages.finding(
          file,
          RULE,
          Disposition.UNPORTED,
          e.start(),
          e.end(),
          e.value() + ": " + twin.get().why());
    } else if (twin.isPresent()) {
      sibling.note(e.start(), "was " + e.value() + ": " + twin.get().why());
      sibling.replace(e.start(), e.end(), twin.get().name());
    }
  }

  private void setting(Entry e, String name, String value, boolean list) {
    Settings.of(name, value)
        .ifPresent(
            twin -> {
              if (twin.text().isEmpty()) {
                out(e.start(), twin.why());
              } else if (!twin.text().equals(name + "=" + value)) {
                int equals = twin.text().indexOf('=');
                String now = twin.text().substring(equals + 1);
                boolean renamed = !twin.text().substring(0, equals).equals(name);
                sibling.note(e.start(), "was " + name + "=" + value + ": " + twin.why());
                if (list) {
                  sibling.replace(e.start(), e.end(), twin.text());
                } else if (renamed) {
                  int key = sibling.lineStart(e.start()) + indentation(e.start());
                  sibling.replace(key, e.end(), twin.text().substring(0, equals) + ": \"" + now);
                } else {
                  sibling.replace(e.start(), e.end(), now);
                }
              }
            });
  }

  /** Returns the place of the colon before a value. */
  private int colon(int at) {
    return text.lastIndexOf(':', at - 1);
  }

  private int indentation(int at) {
    String before = text.substring(sibling.lineStart(at));
    return before.length() - before.stripLeading().length();
  }

  private void out(int at, String why) {
    sibling.note(at, "left out: " + why);
    comment(sibling.lineStart(at), at);
  }

  private void comment(int from, int to) {
    sibling.comment(from, to);
    for (int line = file.line(from); line <= file.line(Math.max(from, to - 1)); line++) {
      commented.add(line);
    }
  }

  /** Removes a block, and enclosing keys that become empty. */
  private void block(Entry e, String up, List<Entry> entries) {
    int first = e.start();
    int end = blockEnd(e.start());
    String path = e.path();
    while (!path.equals(up)) {
      String parent = path.substring(0, path.lastIndexOf('.'));
      String inside = path;
      boolean others =
          entries.stream()
              .anyMatch(
                  x ->
                      x.path().startsWith(parent + ".")
                          && !x.path().equals(inside)
                          && !x.path().startsWith(inside + ".")
                          && !x.path().startsWith(inside + "["));
      if (others) {
        break;
      }
      Optional<Entry> key = entries.stream().filter(x -> x.path().equals(parent)).findFirst();
      if (key.isEmpty()) {
        break;
      }
      first = key.get().start();
      path = parent;
    }
    sibling.note(first, "left out: AMD GPUs are passed as devices");
    comment(sibling.lineStart(first), end);
  }

  /**
   * Returns the offset after the lines that belong to the key at an offset: those that are deeper.
   */
  private int blockEnd(int at) {
    int own = indentation(at);
    int line = file.line(at);
    int last = line;
    for (int n = line + 1; n <= file.lines(); n++) {
      String content = text.substring(file.lineStart(n), file.lineEnd(n));
      int blank = content.length() - content.stripLeading().length();
      boolean item = content.stripLeading().startsWith("- ") && blank == own;
      if (!content.isBlank() && blank <= own && !item) {
        break;
      }
      last = content.isBlank() ? last : n;
    }
    return file.lineEnd(last);
  }

  private void devices(Entry service, String name, List<Entry> entries) {
    String base = "services." + name + ".";
    if (entries.stream()
        .anyMatch(x -> x.path().equals(base + "devices") || x.path().equals(base + "group_add"))) {
      packages.finding(
          file,
          RULE,
          Disposition.REVIEW,
          service.start(),
          service.end(),
          name + " already has devices or groups: add /dev/kfd, /dev/dri and the group video");
      return;
    }
    Optional<Entry> child = entries.stream().filter(x -> x.path().startsWith(base)).findFirst();
    int next = text.indexOf('\n', service.end());
    if (child.isEmpty() || next < 0) {
      return;
    }
    int deep = indentation(child.get().start());
    List<String> lines = new ArrayList<>();
    lines.add("# rocport: the AMD GPUs of the machine");
    lines.add("devices:");
    lines.add("  - /dev/kfd");
    lines.add("  - /dev/dri");
    lines.add("group_add:");
    lines.add("  - video");
    sibling.insertFirst(next + 1, lines.stream().map(l -> " ".repeat(deep) + l).toList());
  }
}
