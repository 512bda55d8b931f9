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

/**
 * Checks files that declare the dependencies of a project: {@code pyproject.toml}, {@code Pipfile},
 * {@code setup.cfg}. Their tools read them by one fixed name, so they get no sibling; the
 * dependencies of the project become a requirements file for ROCm.
 */
final class ProjectCheck {
  static final String RULE = "PKG-PYPROJECT";
  static final String SETUP_CFG = "PKG-SETUP-CFG";

  static final Pattern REQUIREMENTS =
      Pattern.compile(
          "project\\.dependencies\\[\\]|project\\.optional-dependencies\\..*\\[\\]"
              + "|build-system\\.requires\\[\\]|dependency-groups\\..*\\[\\]"
              + "|tool\\.(uv|pdm)\\.dev-dependencies.*\\[\\]"
              + "|tool\\.uv\\.(constraint|override|build-constraint)-dependencies\\[\\]"
              + "|tool\\.hatch\\..*dependencies\\[\\]|tool\\.flit\\.metadata\\.requires\\[\\]");
  static final Pattern TABLES =
      Pattern.compile(
          "(?:tool\\.poetry\\.(?:group\\..*\\.)?(?:dev-)?dependencies|packages|dev-packages)"
              + "\\.([A-Za-z0-9._-]+?)(\\.version|\\.url|\\[\\]\\.version)?");
  private static final String SCIKIT = "PKG-SCIKIT";

  private static final Pattern CMAKE_CUDA =
      Pattern.compile(
          "(-D)?(CMAKE_CUDA_\\w+|CUDA\\w*_(?:ROOT|ARCH\\w*|NVCC\\w*|DIR))(?::\\w+)?=.*");
  private static final Pattern SECTION = Pattern.compile("\\s*\\[([^\\]]+)\\]\\s*");
  private static final Pattern SETTING = Pattern.compile("([A-Za-z0-9_.-]+)\\s*[=:]\\s*(.*)");

  private final Packages packages;
  private final SourceFile file;
  private final String rule;
  private final String text;
  private final List<String> own = new ArrayList<>();

  ProjectCheck(Packages packages, SourceFile file, String rule) {
    this.packages = packages;
    this.file = file;
    this.rule = rule;
    this.text = Packages.latin(file);
  }

  /** A file in TOML. */
  void toml() {
    for (Entry e : TomlEntries.of(text)) {
      Matcher table = TABLES.matcher(e.path());
      if (REQUIREMENTS.matcher(e.path()).matches()) {
        boolean main = e.path().equals("project.dependencies[]");
        requirement(e.start(), e.end(), e.value(), main);
      } else if (table.matches()) {
        String url = ".url".equals(table.group(2)) ? " @ " + e.value() : "";
        String version = url.isEmpty() && e.value().matches("[\\d<>=!~].*") ? e.value() : "";
        String spec = version.matches("\\d.*") ? "==" + version : version;
        requirement(e.start(), e.end(), table.group(1) + url + spec, false);
      } else if (e.path().startsWith(Pyproject.TABLE + "cmake.")) {
        cmake(e);
      } else if (e.value().matches("https?://\\S+")) {
        index(e);
      }
    }
    requirements("[project] dependencies");
  }

  /**
   * Checks the cmake arguments of scikit-build-core: the lists request HIP if the port no longer
   * supports CUDA.
   */
  private void cmake(Entry e) {
    Matcher m =
        CMAKE_CUDA.matcher(e.path().endsWith("[]") ? e.value() : lastKey(e) + "=" + e.value());
    if (!m.matches()) {
      return;
    }
    String name = m.group(2);
    boolean architectures = name.equals("CMAKE_CUDA_ARCHITECTURES");
    if (!architectures || !e.path().endsWith("[]") || !packages.isForRocmAlone()) {
      String instead = name.replace("CUDA", "HIP");
      packages.finding(
          file,
          SCIKIT,
          architectures ? Disposition.REVIEW : Disposition.UNPORTED,
          e.start(),
          e.end(),
          name
              + " is for the CMake language CUDA: pass "
              + instead
              + " for HIP when you build the project, as -Ccmake.define."
              + instead
              + "=...");
      return;
    }
    packages.edit(file, SCIKIT, e.start(), e.end(), "-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx942");
  }

  private static String lastKey(Entry e) {
    return e.path().substring(e.path().lastIndexOf('.') + 1);
  }

  /** A setuptools file: sections, settings, and values that continue on indented lines. */
  void cfg() {
    String section = "";
    String key = "";
    for (int n = 1; n <= file.lines(); n++) {
      int start = file.lineStart(n);
      String line = text.substring(start, file.lineEnd(n));
      Matcher s = SECTION.matcher(line);
      Matcher m = SETTING.matcher(line);
      if (line.isBlank() || line.stripLeading().startsWith("#")) {
        continue;
      }
      if (s.matches()) {
        section = s.group(1).strip();
        key = "";
        continue;
      }
      String value = line;
      if (!Character.isWhitespace(line.charAt(0)) && m.matches()) {
        key = m.group(1);
        value = m.group(2);
      }
      boolean main = section.equals("options") && key.equals("install_requires");
      boolean requested =
          main
              || section.equals("options.extras_require")
              || (section.equals("options")
                  && List.of("setup_requires", "tests_require").contains(key));
      if (requested && !value.isBlank()) {
        int at = start + line.length() - value.stripLeading().length();
        for (String part :
            value.contains("[") || value.contains(";")
                ? new String[] {value}
                : value.split(";", -1)) {
          requirement(at, start + line.stripTrailing().length(), part.strip(), main);
        }
      }
    }
    requirements("install_requires");
  }

  private void requirement(int start, int end, String value, boolean main) {
    if (main) {
      own.add(value.replaceAll("\\s+", " "));
    }
    Optional<Requirement> parsed = Requirement.parse(value);
    if (parsed.isEmpty()) {
      return;
    }
    Requirement r = parsed.get();
    Release torch = TorchReleases.of(r, packages.rocm()).orElseGet(packages::newest);
    Judgement j = Judgement.of(r, torch, packages.rocm());
    boolean plain = r.cuda().isEmpty() && r.url().isEmpty();
    if (j instanceof Judgement.Changed && plain && !torch.version(r.normal()).isEmpty()) {
      packages.noted(
          file,
          rule,
          start,
          end,
          r.name()
              + ": install it from "
              + torch.index()
              + " first; a plain install resolves to the CUDA build");
      return;
    }
    packages.report(file, rule, start, end, r.name(), j);
  }

  private void index(Entry e) {
    Optional<String> rocm = WheelIndex.rocm(e.value(), packages.newest(), packages.rocm());
    if (rocm.isPresent() || WheelIndex.isCuda(e.value())) {
      packages.finding(
          file,
          rule,
          Disposition.REVIEW,
          e.start(),
          e.end(),
          "this index is for CUDA" + rocm.map(r -> "; the one for ROCm is " + r).orElse(""));
    }
  }

  /** Writes the dependencies of the project as requirements for ROCm. */
  private void requirements(String where) {
    String path = Paths.folder(file.path()) + "requirements-rocm.txt";
    if (own.isEmpty() || packages.isTaken(path)) {
      return;
    }
    String lines = String.join(file.newline(), own) + file.newline();
    Sibling sibling = new Sibling(lines, file.newline());
    List<RequirementLine> all = RequirementLine.of(lines);
    Release torch =
        all.stream()
            .flatMap(l -> l.requirement().stream())
            .filter(r -> r.normal().equals("torch") && !r.spec().isEmpty())
            .flatMap(r -> TorchReleases.of(r, packages.rocm()).stream())
            .findFirst()
            .orElseGet(packages::newest);
    new PipLines(packages, file, rule, sibling, false).write(all, torch, Map.of());
    if (sibling.isChanged()) {
      String name = Paths.name(file.path());
      packages.add(
          file,
          rule,
          path,
          sibling.build(
              0,
              "Written by rocport port from "
                  + name
                  + ", "
                  + where
                  + ", for ROCm "
                  + torch.rocm()
                  + ": pip install -r requirements-rocm.txt, then pip install --no-deps -e ."));
    }
  }
}
