package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.FlagList;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shared.SystemPort;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports Bazel builds: Starlark files and {@code .bazelrc}. */
public final class BazelBuild extends SystemPort {
  public static final BuildSystem SYSTEM =
      new BuildSystem("bazel", BazelBuild::serves, BazelBuild::new, List.of());

  static final String COMMAND = "BAZEL-COMMAND";
  static final String PACKAGE = "BAZEL-PACKAGE";
  static final String FLAG = "BAZEL-FLAG";
  static final String ARCH = "BAZEL-ARCH";
  static final String UNKNOWN = "BAZEL-UNKNOWN";
  private static final String TWIN = "BAZEL-TWIN";
  private static final String ALREADY_ROCM = "BAZEL-THERE";

  /** Folder of the twins, and the script that makes a workspace from them. */
  private static final String TWINS = "rocm/";

  private static final String SCRIPT = "workspace.sh";
  private static final List<String> ROOTS = List.of("WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel");

  static final FlagList.Ids FLAGS =
      new FlagList.Ids(
          FLAG,
          ARCH,
          "hipcc compiles for the GPUs of the machine; set HCC_AMDGPU_TARGET for other GPUs",
          '"');

  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern SETTING = Pattern.compile("(?m)^(?!#).*(?i:cuda|nvcc).*$");

  private BazelBuild(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    super(catalog, options, files);
  }

  /** Returns true for files that Bazel reads. */
  public static boolean serves(String path) {
    return BazelFile.serves(path) || path.endsWith(".bazelrc");
  }

  @Override
  protected void portTree() {
    List<BazelFile> all = new ArrayList<>();
    List<SourceFile> settings = new ArrayList<>();
    for (String path : files.paths()) {
      SourceFile file = serves(path) ? files.read(path) : null;
      if (file == null || !file.encoding().isText()) {
        continue;
      }
      SourceFile text = file.withLineFeeds();
      if (path.endsWith(".bazelrc")) {
        settings.add(text);
        continue;
      }
      Optional<BazelFile> parsed = BazelFile.of(text);
      if (parsed.isPresent()) {
        all.add(parsed.get());
      } else if (CUDA.matcher(text.text(0, text.length())).find()) {
        unported(
            text,
            0,
            0,
            "this file has an unclosed bracket or string, or is not Starlark; it was not ported");
      }
    }
    BazelFacts facts = new BazelFacts(all, files.copies());
    boolean set = settings.stream().anyMatch(f -> CUDA.matcher(f.text(0, f.length())).find());
    if (!facts.isCuda() && !set) {
      return;
    }
    if (facts.isForRocm()) {
      changes(all.getFirst().source())
          .finding(
              ALREADY_ROCM,
              Disposition.REVIEW,
              0,
              0,
              "this build already uses hipcc or ROCm rules; its Bazel files are unchanged");
      return;
    }
    boolean twins = options.style() == Style.SINGLE_SOURCE;
    for (BazelFile f : all) {
      Changes ported = twins ? fresh(f.source()) : changes(f.source());
      CallDraft draft = new CallDraft(f.text(), ported, UNKNOWN);
      new BazelPort(f, facts, draft, root(f.source().path())).port();
      draft.finish();
      if (twins) {
        twin(ported);
      }
    }
    for (SourceFile file : settings) {
      Changes ported = twins ? fresh(file) : changes(file);
      settings(file, ported);
      if (twins) {
        twin(ported);
      }
    }
    changes.values().removeIf(c -> c.edits().isEmpty() && c.findings().isEmpty());
  }

  /**
   * Writes the twin of a file in a single-source port. BUILD files have no conditions, so twins are
   * in a separate folder, under names that Bazel does not read, and a script makes a workspace of
   * links.
   */
  private void twin(Changes ported) {
    String path = ported.file().path();
    String root = root(path);
    String folder = root + TWINS;
    if (files.paths().contains(folder + SCRIPT)) {
      return; // ported before
    }
    Changes reported = changes(ported.file());
    ported.findings().forEach(reported::adopt);
    if (!ported.edits().isEmpty()) {
      String twin = folder + path.substring(root.length()) + ".twin";
      String text = new String(ported.edits().apply(ported.file().bytes()), StandardCharsets.UTF_8);
      added.put(twin, new BuildPort.Added(text, path));
      added.put(folder + SCRIPT, new BuildPort.Added(BuiltInText.read("bazel/" + SCRIPT), ""));
      reported.finding(TWIN, Disposition.PORTED, 0, 0, "ROCm builds read " + twin);
    }
  }

  /** Returns the folder of the workspace that a file belongs to. */
  private String root(String path) {
    String folder = path.substring(0, path.lastIndexOf('/') + 1);
    while (!folder.isEmpty()) {
      String at = folder;
      if (ROOTS.stream().anyMatch(r -> files.paths().contains(at + r))) {
        return folder;
      }
      folder = folder.substring(0, folder.lastIndexOf('/', folder.length() - 2) + 1);
    }
    return "";
  }

  private static void settings(SourceFile file, Changes changes) {
    String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
    Matcher m = SETTING.matcher(text);
    CallDraft draft = new CallDraft(text, changes, UNKNOWN);
    while (m.find()) {
      Matcher v =
          Pattern.compile(
                  "(--(?:action|repo|test|host_action)_env[="
                      + " ])(CUDA_PATH|CUDA_HOME|CUDA_TOOLKIT_PATH)"
                      + "(=\"?/usr/local/cuda(?:-[\\d.]+)?/?\"?)?(?=\\s|$)")
              .matcher(text)
              .region(m.start(), m.end());
      boolean known = false;
      while (v.find()) {
        known = true;
        draft.replace(
            v.start(2), v.end(), "ROCM_PATH" + (v.group(3) == null ? "" : "=/opt/rocm"), PACKAGE);
      }
      String rest = text.substring(m.start(), m.end()).replaceAll("--\\w+_env[= ]CUDA\\S*", "");
      if (!known || CUDA.matcher(rest).find()) {
        draft.problem(
            m.start(),
            m.end(),
            "this setting configures CUDA rules; use the setting of the ROCm rules, or remove it");
      }
    }
    draft.finish();
  }

  private void unported(SourceFile file, int start, int end, String message) {
    changes(file).finding(UNKNOWN, Disposition.UNPORTED, start, end, message);
  }
}
