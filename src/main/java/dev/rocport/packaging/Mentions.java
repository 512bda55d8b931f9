package dev.rocport.packaging;

import dev.rocport.core.source.SourceFile;
import dev.rocport.packaging.Mention.Kind;
import dev.rocport.packaging.ShellCommand.Word;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Everything that a file requires, whether or not it is related to CUDA. */
public final class Mentions {
  private static final Pattern IMAGE_FIELD =
      Pattern.compile("(?:.*\\.)?(?:image|container|name)(?:\\[\\])?|.*services\\..*\\.image");
  private static final Pattern IMAGE =
      Pattern.compile(
          "((?:[\\w.-]+(?::\\d+)?/)*[\\w.-]+)(?::([\\w.${}-]+))?(?:@sha256:[0-9a-f]+)?");
  private static final Pattern SECTION = Pattern.compile("\\s*\\[([^\\]]+)\\]\\s*");
  private static final Pattern SETTING = Pattern.compile("([A-Za-z0-9_.-]+)\\s*[=:]\\s*(.*)");
  private static final Pattern LOCKED =
      Pattern.compile("(?:default|develop)\\.([\\w.-]+)\\.version");
  private static final Pattern INSTALLED =
      Pattern.compile("\\AMetadata-Version:[^\\n]*\\nName: *(\\S+)\\s*\\nVersion: *(\\S+)");
  private static final Pattern LITERAL = Pattern.compile("\"([^\"\\n]*)\"|'([^'\\n]*)'");

  private final String text;
  private final List<Mention> mentions = new ArrayList<>();

  private Mentions(String text) {
    this.text = text;
  }

  /**
   * Returns the requirements of a file, in order; none for files that install nothing or are for
   * other platforms by their name.
   */
  public static List<Mention> of(SourceFile file) {
    String path = file.path();
    if (FileRole.isForRocm(path)) {
      return List.of();
    }
    Mentions m = new Mentions(Packages.latin(file));
    switch (FileRole.of(path)) {
      case REQUIREMENTS -> m.requirements(RequirementLine.of(m.text), 0);
      case PYPROJECT, PIPFILE -> m.toml();
      case SETUP_CFG -> m.cfg();
      case CONDA -> m.conda();
      case DOCKERFILE -> m.docker();
      case COMPOSE, CI -> m.yaml();
      default -> m.other(Paths.name(path));
    }
    m.mentions.sort(Comparator.comparingInt(Mention::offset));
    return List.copyOf(m.mentions);
  }

  private void other(String name) {
    switch (name) {
      case "poetry.lock", "uv.lock", "pdm.lock", "pylock.toml" -> locked(TomlEntries.of(text));
      case "conda-lock.yml" -> locked(YamlEntries.of(text).orElse(List.of()));
      case "Pipfile.lock" -> pipfileLock();
      case "METADATA" -> installed();
      default -> scripts(name);
    }
  }

  /** Packages as tables with a name and a version. */
  private void locked(List<Entry> entries) {
    String name = "";
    int at = 0;
    boolean conda = false;
    for (Entry e : entries) {
      switch (e.path().replaceFirst("^packages?\\[\\]\\.", "")) {
        case "name" -> {
          name = e.value();
          at = e.start();
          conda = false;
        }
        case "manager" -> conda = e.value().equals("conda");
        case "version" -> {
          if (!name.isEmpty()) {
            Kind kind = conda ? Kind.CONDA : Kind.PIP;
            mentions.add(new Mention(kind, Requirement.normal(name), "==" + e.value(), at));
            name = "";
          }
        }
        default -> {}
      }
    }
  }

  /** JSON is YAML. */
  private void pipfileLock() {
    for (Entry e : YamlEntries.of(text).orElse(List.of())) {
      Matcher m = LOCKED.matcher(e.path());
      if (m.matches()) {
        Requirement.parse(m.group(1) + e.value()).ifPresent(r -> add(Kind.PIP, r, e.start()));
      }
    }
  }

  /** Adds the packages of a folder of installed packages. */
  private void installed() {
    Matcher m = INSTALLED.matcher(text);
    if (m.find()) {
      Requirement.parse(m.group(1) + "==" + m.group(2))
          .ifPresent(r -> add(Kind.PIP, r, m.start(1)));
    }
  }

  private void scripts(String name) {
    if (name.endsWith(".sh") || name.endsWith(".bash")) {
      shell(0, text.length(), true);
    } else if (name.equals("setup.py")) {
      Matcher m = LITERAL.matcher(text);
      while (m.find()) {
        String value = m.group(1) == null ? m.group(2) : m.group(1);
        Requirement.parse(value).ifPresent(r -> add(Kind.PIP, r, m.start() + 1));
      }
    }
  }

  private void requirements(List<RequirementLine> lines, int from) {
    for (RequirementLine line : lines) {
      line.requirement().ifPresent(r -> add(Kind.PIP, r, from + line.start()));
    }
  }

  private void add(Kind kind, Requirement r, int offset) {
    if (!r.isForOtherSystems()) {
      mentions.add(new Mention(kind, r.normal() + extras(r), r.spec(), offset));
    }
  }

  /** Returns extras that select a CUDA build: {@code jax[cuda12]}. */
  private static String extras(Requirement r) {
    return r.extras().contains("cu") ? r.extras().replaceAll("\\s", "") : "";
  }

  private void toml() {
    for (Entry e : TomlEntries.of(text)) {
      Matcher table = ProjectCheck.TABLES.matcher(e.path());
      if (ProjectCheck.REQUIREMENTS.matcher(e.path()).matches()) {
        Requirement.parse(e.value()).ifPresent(r -> add(Kind.PIP, r, e.start()));
      } else if (table.matches() && !".url".equals(table.group(2))) {
        String version = e.value().matches("[\\d<>=!~].*") ? e.value() : "";
        String spec = version.matches("\\d.*") ? "==" + version : version;
        Requirement.parse(table.group(1) + spec).ifPresent(r -> add(Kind.PIP, r, e.start()));
      }
    }
  }

  private void cfg() {
    String section = "";
    String key = "";
    int start = 0;
    for (String line : text.split("\n", -1)) {
      Matcher s = SECTION.matcher(line);
      Matcher m = SETTING.matcher(line);
      String value = line;
      if (s.matches()) {
        section = s.group(1).strip();
        key = "";
        value = "";
      } else if (!line.isEmpty() && !Character.isWhitespace(line.charAt(0)) && m.matches()) {
        key = m.group(1);
        value = m.group(2);
      }
      boolean requested =
          section.equals("options.extras_require")
              || (section.equals("options") && key.endsWith("_requires"))
              || (section.equals("options") && key.equals("tests_require"));
      String plain = value.strip();
      if (requested && !plain.isEmpty() && !plain.startsWith("#")) {
        int at = start + line.indexOf(plain);
        Requirement.parse(plain).ifPresent(r -> add(Kind.PIP, r, at));
      }
      start += line.length() + 1;
    }
  }

  private void conda() {
    for (Entry e : YamlEntries.of(text).orElse(List.of())) {
      if (e.path().equals("dependencies[]") && !e.value().isEmpty()) {
        conda(e.value(), e.start());
      } else if (e.path().equals("dependencies[].pip[]")) {
        requirements(List.of(new RequirementLine(e.start(), e.end(), e.value().strip(), "")), 0);
      }
    }
  }

  /** {@code channel::name=version=build}, or with pip operators. */
  private void conda(String spec, int offset) {
    String plain = spec.replaceFirst("^[^:]*::", "").strip();
    String name = plain.replaceFirst("[\\s<>=!~\\[].*", "");
    String rest = plain.substring(name.length()).strip();
    String version = rest.matches("=[^=].*") ? "=" + rest : rest;
    String without = version.replaceFirst("(==[^=\\s]*)[=\\s].*", "$1");
    if (!name.isEmpty()) {
      mentions.add(new Mention(Kind.CONDA, name, without, offset));
    }
  }

  private void docker() {
    for (DockerInstruction i : DockerInstruction.of(text)) {
      String body = text.substring(i.body(), i.end());
      switch (i.keyword()) {
        case "FROM" ->
            image(body.replaceFirst("^(--\\S+\\s+)+", "").replaceFirst("\\s.*", ""), i.body());
        case "ARG", "ENV" -> {
          // Images are often the default of an argument.
          Matcher m = Pattern.compile("\\w+[= ]\"?([\\w.-]+/\\S+?:[^\"\\s]+)").matcher(body);
          if (m.lookingAt()) {
            image(m.group(1), i.body());
          }
        }
        case "RUN" -> shell(i.body(), i.end(), false);
        default -> {}
      }
    }
  }

  private void image(String reference, int offset) {
    String plain =
        reference.replaceFirst("^(registry-1\\.|index\\.)?docker\\.io/(library/)?", "").strip();
    Matcher m = IMAGE.matcher(plain);
    if (m.matches()) {
      String tag = m.group(2) == null ? "" : m.group(2);
      mentions.add(new Mention(Kind.IMAGE, m.group(1), tag, offset));
    }
  }

  /** Compose and continuous integration: images by their fields, commands by their block. */
  private void yaml() {
    for (Entry e : YamlEntries.of(text).orElse(List.of())) {
      String value = e.value();
      if (value.isEmpty()) {
        continue;
      }
      if (IMAGE_FIELD.matcher(e.path()).matches() && value.contains("/") && !value.contains(" ")) {
        image(value, e.start());
      } else if (value.contains("install")) {
        shell(e.start(), e.end(), true);
      }
    }
  }

  private void shell(int from, int to, boolean lineEnds) {
    for (ShellCommand c : ShellCommand.of(text, from, to, lineEnds)) {
      int pip = c.pipInstall();
      int system = c.systemInstall();
      int conda = condaInstall(c);
      int first = Math.max(pip, Math.max(system, conda));
      if (first < 0) {
        continue;
      }
      for (Word w : c.words().subList(first, c.words().size())) {
        if (w.text().startsWith("-") || w.text().contains("/")) {
          continue;
        }
        if (first == pip) {
          Requirement.parse(w.text()).ifPresent(r -> add(Kind.PIP, r, w.start()));
        } else if (first == conda) {
          conda(w.text(), w.start());
        } else {
          String[] parts = w.text().split("=", 2);
          if (parts[0].matches("[a-z0-9][a-z0-9+.*-]+")) {
            String spec = parts.length > 1 ? "==" + parts[1] : "";
            mentions.add(new Mention(Kind.APT, parts[0], spec, w.start()));
          }
        }
      }
    }
  }

  private static int condaInstall(ShellCommand c) {
    List<Word> words = c.words();
    for (int i = 0; i + 1 < words.size(); i++) {
      if (Paths.name(words.get(i).text()).matches("conda|mamba|micromamba")) {
        for (int k = i + 1; k < words.size(); k++) {
          if (words.get(k).text().matches("install|create")) {
            return k + 1;
          }
        }
      }
    }
    return -1;
  }

  /**
   * ROCm support of a package that pip installs.
   *
   * @param answer yes, partly, manual, no; empty for packages without CUDA
   * @param counterpart its replacement; may be empty
   * @param why a sentence
   */
  public record Known(String answer, String counterpart, String why) {}

  /** Returns the row of a package that pip installs, by its normalized name. */
  public static Optional<Known> known(String name, String rocm) {
    Optional<Requirement> r = Requirement.parse(name);
    return r.flatMap(x -> PackageTable.find(x, rocm)).map(Mentions::known);
  }

  private static Known known(PackageTable.Row row) {
    String answer =
        switch (row.action()) {
          case SAME -> "";
          case CHECK -> "partly";
          case DROP, REPLACE, ROCM_INDEX -> "yes";
          case MANUAL -> "manual";
          case NONE -> "no";
        };
    return new Known(answer, row.target(), row.why());
  }

  /** Returns the row of an image with CUDA; empty for images without CUDA. */
  public static Optional<Known> knownImage(String image, String tag, String rocm) {
    return Images.of(tag.isEmpty() ? image : image + ":" + tag, rocm)
        .map(t -> new Known(t.name().isEmpty() ? "manual" : "yes", t.name(), t.why()));
  }

  /**
   * Returns why the ports leave a package of a distribution or of conda out; empty if they keep it.
   */
  public static Optional<String> leftOut(Kind kind, String name) {
    return SystemPackages.leftOut(kind == Kind.CONDA ? "conda" : "apt", name);
  }
}
