package dev.rocport.build.check;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.run.UnitResult.Status;
import dev.rocport.build.unit.Language;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What the files of a tree say about units that its build did not compile: whether any of them
 * names the source, and whether its makefile compiles the device side only.
 *
 * <p>A source counts as named if a file that is no source has its name, if a build file or Python
 * has its name without the ending, if a pattern with {@code *} may stand for it, or if its folder
 * has a makefile, whose rules may have patterns.
 */
public final class NamedSources {
  /** Larger files, and files with zero bytes, are data. */
  private static final long LARGEST = 512 << 10;

  private static final String HOST = " (for host)";

  private static final Pattern PATTERN = Pattern.compile("[^\\s\"'();,=:]*\\*[^\\s\"'();,:]*");

  /** Commands that list folders. */
  private static final Pattern LISTING =
      Pattern.compile(
          "GLOB_RECURSE|aux_source_directory|\\brglob\\b|\\bos\\.walk\\b|\\blistdir\\b|\\bscandir\\b|\\biterdir\\b|\\*\\*|\\bfind\\s[^\\n"
              + "]*-name\\b");

  private static final Pattern DEVICE_ONLY =
      Pattern.compile("(?<![\\w-])--?(?:fatbin|ptx|cubin)(?![\\w-])");

  private static final Pattern OBJECTS =
      Pattern.compile(
          "(?im)^.*nvcc.*(?<![\\w-])(?:-c|-dc|--compile|--device-c)(?![\\w-])|%\\.o\\s*:\\s*%\\.cu\\b|\\.cu\\.o\\s*:");

  private static final Pattern PROGRAM = Pattern.compile("<<<|\\bmain\\s*\\(");

  private final Path root;
  private final Collection<FileResult> ported;
  private final UnaryOperator<String> path;
  private final UnaryOperator<String> name;
  private final Map<String, String> originals = new HashMap<>();

  /** Texts of build files and Python, and those of other files that are no sources. */
  private final Map<String, String> builds = new TreeMap<>();

  private final Map<String, String> others = new TreeMap<>();

  /** Whether a build file names some source for GPUs. */
  private boolean understood;

  /**
   * The files are read when the first unit needs them.
   *
   * @param root the original tree, or the ported one if it replaced the original
   * @param ported the results of the port
   * @param path where a file of the original is below the root
   * @param name the path in the ported tree of a file of the original
   */
  public NamedSources(
      Path root,
      Collection<FileResult> ported,
      UnaryOperator<String> path,
      UnaryOperator<String> name) {
    this.root = root;
    this.ported = List.copyOf(ported);
    this.path = path;
    this.name = name;
  }

  private void read() throws IOException {
    if (!originals.isEmpty()) {
      return;
    }
    List<String> gpu = new ArrayList<>();
    for (FileResult file : ported) {
      originals.put(name.apply(file.path()), file.path());
      switch (file.language()) {
        case "cuda", "c++", "c", "java" -> {
          if (Language.ofFile(file.path()).filter(l -> l == Language.HIP).isPresent()) {
            gpu.add(file.path());
          }
        }
        case "build", "python" -> builds.put(file.path(), text(file.path()));
        default -> others.put(file.path(), text(file.path()));
      }
    }
    understood =
        gpu.stream().anyMatch(s -> builds.values().stream().anyMatch(t -> hasWord(t, base(s))));
  }

  private String text(String file) throws IOException {
    Path found = root.resolve(path.apply(file));
    if (!Files.isRegularFile(found) || Files.size(found) > LARGEST) {
      return "";
    }
    String text = Files.readString(found, StandardCharsets.ISO_8859_1);
    return text.indexOf('\0') < 0 ? text : "";
  }

  private static String base(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  private static String folder(String file) {
    int slash = file.lastIndexOf('/');
    return slash < 0 ? "" : file.substring(0, slash);
  }

  private static boolean hasWord(String text, String word) {
    int at = text.indexOf(word);
    while (at >= 0) {
      int end = at + word.length();
      boolean starts = at == 0 || !isPart(text.charAt(at - 1));
      if (starts && (end == text.length() || !isPart(text.charAt(end)))) {
        return true;
      }
      at = text.indexOf(word, at + 1);
    }
    return false;
  }

  private static boolean isPart(char c) {
    return c == '_' || c == '-' || Character.isLetterOrDigit(c);
  }

  /**
   * Returns the verdict on a unit that no build compiles: one with errors that nothing explains is
   * not checked if the tree has a build and no file names the source.
   */
  public CheckedUnit of(CheckedUnit unit) throws IOException {
    if (unit.verdict() != Verdict.SILENT) {
      return unit;
    }
    read();
    return understood && !isNamed(originals.getOrDefault(unit.path(), unit.path()))
        ? unit.unchecked("no build of the tree compiles it: no file names it, as others are named")
        : unit;
  }

  private boolean isNamed(String file) {
    String base = base(file);
    String stem = base.replaceFirst("\\.\\w+$", "");
    String folder = folder(file);
    for (Map.Entry<String, String> build : builds.entrySet()) {
      String text = build.getValue();
      boolean beside = folder(build.getKey()).equals(folder);
      if (hasWord(text, base)
          || hasWord(text, stem)
          || LISTING.matcher(text).find()
          || (beside && BuildFileNames.isMakefile(build.getKey()))
          || hasPattern(text, folder(build.getKey()), folder, base)) {
        return true;
      }
    }
    return others.values().stream().anyMatch(t -> hasWord(t, base));
  }

  /** Returns whether a text has a pattern that may stand for a file. */
  private static boolean hasPattern(String text, String from, String folder, String base) {
    return PATTERN
        .matcher(text)
        .results()
        .map(r -> r.group())
        .anyMatch(
            p -> {
              String stem = base.replaceFirst("\\.\\w+$", "");
              String glob =
                  "\\Q" + base(p).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q") + "\\E";
              boolean fits = base.matches(glob) || (stem + ".o").matches(glob);
              String in = folder(p);
              boolean anywhere = in.contains("$") || in.contains("*") || in.contains("..");
              String there = from.isEmpty() || in.isEmpty() ? from + in : from + "/" + in;
              return fits && (anywhere || p.startsWith("/") || there.equals(folder));
            });
  }

  /**
   * Returns a unit without errors of the host side if the makefiles in its folder compile sources
   * for the device only, with {@code -fatbin}, {@code -ptx} or {@code -cubin}.
   */
  public UnitResult withoutHost(UnitResult unit) throws IOException {
    List<Finding> device =
        unit.findings().stream().filter(f -> !f.message().contains(HOST)).toList();
    if (device.size() == unit.findings().size()) {
      return unit;
    }
    read();
    String file = originals.getOrDefault(unit.path(), unit.path());
    if (!isDeviceOnly(file)) {
      return unit;
    }
    return device.isEmpty()
        ? new UnitResult(
            unit.unit(),
            Status.COMPILED,
            unit.seconds(),
            unit.targets(),
            unit.kernels(),
            unit.warnings(),
            device,
            "")
        : unit.with(device);
  }

  private boolean isDeviceOnly(String file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> build : builds.entrySet()) {
      if (folder(build.getKey()).equals(folder(file))
          && BuildFileNames.isMakefile(build.getKey())) {
        text.append(build.getValue()).append('\n');
      }
    }
    String stem = base(file).replaceFirst("\\.\\w+$", "");
    return DEVICE_ONLY.matcher(text).find()
        && !OBJECTS.matcher(text).find()
        && hasWord(text.toString(), stem)
        && !PROGRAM.matcher(text(file)).find();
  }
}
