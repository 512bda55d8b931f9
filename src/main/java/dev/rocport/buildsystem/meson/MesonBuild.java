package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.FlagList;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shared.SystemPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Ports Meson builds: build files, option files and machine files. */
public final class MesonBuild extends SystemPort {
  public static final BuildSystem SYSTEM =
      new BuildSystem("meson", MesonBuild::serves, MesonBuild::new, List.of());

  static final String LANGUAGE = "MESON-LANGUAGE";
  static final String SOURCE = "MESON-SOURCE";
  static final String PACKAGE = "MESON-PACKAGE";
  static final String FLAG = "MESON-FLAG";
  static final String ARCH = "MESON-ARCH";
  static final String VERSION = "MESON-VERSION";
  static final String COMMAND = "MESON-COMMAND";
  static final String TWIN = "MESON-TWIN";
  static final String UNKNOWN = "MESON-UNKNOWN";
  private static final String ALREADY_ROCM = "MESON-THERE";

  static final FlagList.Ids FLAGS =
      new FlagList.Ids(FLAG, ARCH, "set the architectures with -Dhip_archs", '\'');

  static final String FILE = "meson.build";

  /** The folder for files that rocport adds to a tree. */
  static final String OWN = "rocport/";

  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc|\\.cu\\b");
  private static final Pattern MACHINE =
      Pattern.compile("(?m)^\\[(?:binaries|built-in options|properties)\\]");
  private static final Pattern MACHINE_CUDA = Pattern.compile("(?m)^\\s*cuda(?:_\\w+)?\\s*=.*");

  private MesonBuild(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    super(catalog, options, files);
  }

  /** Returns true for files that Meson reads. */
  public static boolean serves(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.equals(FILE) || MesonOptions.serves(path);
  }

  /** Returns a Meson string literal. */
  static String quoted(String text) {
    return FlagList.quoted(text, '\'');
  }

  @Override
  protected void portTree() {
    List<MesonFile> all = new ArrayList<>();
    for (String path : files.paths()) {
      SourceFile file = path.endsWith(FILE) && serves(path) ? text(path) : null;
      if (file == null) {
        continue;
      }
      Optional<MesonFile> parsed = MesonFile.of(file);
      if (parsed.isPresent()) {
        all.add(parsed.get());
      } else if (CUDA.matcher(file.text(0, file.length())).find()) {
        changes(file)
            .finding(
                UNKNOWN,
                Disposition.UNPORTED,
                0,
                0,
                "this file has an unclosed bracket or string, or is not in the Meson language; it"
                    + " was not ported");
      }
    }
    Map<String, List<MesonFile>> projects = new TreeMap<>();
    List<String> roots =
        all.stream().filter(f -> f.project().isPresent()).map(MesonFile::folder).toList();
    for (MesonFile f : all) {
      String root = "";
      for (String r : roots) {
        root = f.folder().startsWith(r) && r.length() > root.length() ? r : root;
      }
      projects.computeIfAbsent(root, r -> new ArrayList<>()).add(f);
    }
    SortedMap<String, MesonFacts> facts = new TreeMap<>();
    for (Map.Entry<String, List<MesonFile>> p : projects.entrySet()) {
      MesonFacts f = new MesonFacts(p.getValue(), files.copies());
      if (f.isCuda() && f.isForRocm()) {
        changes(p.getValue().getFirst().source())
            .finding(
                ALREADY_ROCM,
                Disposition.REVIEW,
                0,
                0,
                "this build already uses ROCm or HIP; its Meson files are unchanged");
      } else if (f.isCuda()) {
        facts.put(p.getKey(), f);
      }
    }
    if (options.style() == Style.SINGLE_SOURCE) {
      new MesonTwins(this, files, projects, facts).port();
    } else {
      facts.forEach((root, f) -> inPlace(root, projects.getOrDefault(root, List.of()), f));
    }
    if (!facts.isEmpty()) {
      machines();
    }
    changes.values().removeIf(c -> c.edits().isEmpty() && c.findings().isEmpty());
  }

  private void inPlace(String root, Collection<MesonFile> project, MesonFacts facts) {
    for (MesonFile f : project) {
      CallDraft draft = new CallDraft(f.text(), changes(f.source()), UNKNOWN);
      new MesonPort(f, facts, draft).port();
      draft.finish();
    }
    if (project.stream().anyMatch(f -> f.project().isPresent())) {
      MesonOptions.inPlace(this, files, root);
      add(root, root, facts);
    }
  }

  /**
   * Adds the files of rocport that the ported build reads.
   *
   * @param root folder of the project, for files that its build reads
   * @param at folder for the machine file
   */
  void add(String root, String at, MesonFacts facts) {
    String required = facts.isRequired() ? "true" : "false";
    added(root + OWN + FILE, BuiltInText.read("meson/hip.meson").replace("@REQUIRED@", required));
    added(at + "rocm.ini", BuiltInText.read("meson/rocm.ini"));
  }

  void added(String path, String content) {
    added.put(path, new BuildPort.Added(content, ""));
  }

  @Nullable SourceFile text(String path) {
    SourceFile file = files.read(path);
    return file != null && file.encoding().isText() ? file.withLineFeeds() : null;
  }

  /** Reports machine files ({@code --native-file}, {@code --cross-file}) that name nvcc. */
  private void machines() {
    for (String path : files.paths()) {
      SourceFile file =
          path.endsWith(".ini") || path.endsWith(".cross") || path.endsWith(".txt")
              ? text(path)
              : null;
      String text = file == null ? "" : new String(file.bytes(), StandardCharsets.ISO_8859_1);
      Matcher m = MACHINE_CUDA.matcher(text);
      if (file != null && MACHINE.matcher(text).find() && m.find()) {
        changes(file)
            .finding(
                LANGUAGE,
                Severity.WARNING,
                Disposition.REVIEW,
                m.start(),
                m.end(),
                "this entry sets a CUDA compiler, which the ported build does not use",
                "Set cpp to ROCm's clang, as rocm.ini does.");
      }
    }
  }
}
