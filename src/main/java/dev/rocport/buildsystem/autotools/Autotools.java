package dev.rocport.buildsystem.autotools;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ports autotools builds: each folder with a {@code configure.ac} and the {@code Makefile.am} files
 * below it. The ported build has an option {@code --with-rocm} and does for ROCm what it did for
 * CUDA.
 */
public final class Autotools extends SystemPort {
  public static final BuildSystem SYSTEM =
      new BuildSystem(
          "autotools",
          Autotools::serves,
          Autotools::new,
          List.of(AutomakeGate.GATE, ConfigureGate.GATE));

  static final String CONFIGURE = "AUTOTOOLS-CONFIGURE";
  static final String MAKEFILE = "AUTOTOOLS-MAKEFILE";
  static final String UNKNOWN = "AUTOTOOLS-UNKNOWN";
  static final String FLAG = "AUTOTOOLS-FLAG";
  private static final String GENERATED = "AUTOTOOLS-GENERATED";
  private static final String TEMPLATE = "AUTOTOOLS-TEMPLATE";
  private static final String ALREADY_ROCM = "AUTOTOOLS-THERE";

  /** The file of macros that a ported build calls. */
  static final String MACROS = "ax_check_rocm.m4";

  private static final Pattern ROCM =
      Pattern.compile("AX_CHECK_ROCM|AX_ARG_ROCM|AC_ARG_(?:WITH|ENABLE)\\(\\s*\\[?(?:rocm|hip)\\b");
  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern FOLDER =
      Pattern.compile("AC_CONFIG_MACRO_DIRS?\\(\\s*\\[?\\s*([\\w./-]+)");
  private static final Pattern SEARCHED =
      Pattern.compile("(?m)^ACLOCAL_AMFLAGS\\s*\\+?=.*?-I\\s*([\\w./-]+)");

  private Autotools(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    super(catalog, options, files);
  }

  /** Returns true for files that autotools reads. */
  public static boolean serves(String path) {
    return path.endsWith(".am") || path.endsWith(".ac");
  }

  @Override
  protected void portTree() {
    projects();
  }

  /** Ports a file as part of a project with common names. */
  @Override
  protected void portSnippet(SourceFile file) {
    if (file.path().endsWith(".am")) {
      makefiles(
          List.of(file),
          new TreeSet<>(),
          new TreeSet<>(),
          new AutotoolsCopies(files.copies(), "", List.of()));
    } else {
      projects();
    }
  }

  boolean isSingleSource() {
    return options.style() == Style.SINGLE_SOURCE;
  }

  void problem(SourceFile file, int start, int end, String message) {
    changes(file).finding(UNKNOWN, Disposition.UNPORTED, start, end, message);
  }

  private void projects() {
    Map<String, String> roots = new LinkedHashMap<>();
    for (String path : files.paths()) {
      if (name(path).equals("configure.ac") || name(path).equals("configure.in")) {
        roots.putIfAbsent(folder(path), path);
      }
    }
    Map<String, List<SourceFile>> makefiles = new TreeMap<>();
    List<String> orphans = new ArrayList<>();
    for (String path : files.paths()) {
      if (name(path).equals("Makefile.am") || name(path).endsWith(".am")) {
        Optional<String> root = rootOf(path, roots.keySet());
        SourceFile file = root.isPresent() ? text(path) : null;
        if (root.isEmpty()) {
          orphans.add(path);
        } else if (file != null) {
          makefiles.computeIfAbsent(root.get(), r -> new ArrayList<>()).add(file);
        }
      }
    }
    roots.forEach((root, path) -> project(root, path, makefiles.getOrDefault(root, List.of())));
    for (String path : orphans) {
      SourceFile file = text(path);
      Matcher m = file == null ? null : CUDA.matcher(file.text(0, file.length()));
      if (file != null && m != null && m.find()) {
        problem(file, 0, 0, "no folder above this file has a configure.ac; it was not ported");
      }
    }
  }

  private void project(String root, String path, List<SourceFile> makefiles) {
    SourceFile file = text(path);
    if (file == null) {
      return;
    }
    List<String> codes = new ArrayList<>();
    codes.add(M4.code(file.text(0, file.length())));
    boolean rocm = ROCM.matcher(codes.getFirst()).find();
    for (String p : files.paths()) {
      if (p.startsWith(root) && p.endsWith(".m4") && !name(p).equals("aclocal.m4")) {
        SourceFile macros = text(p);
        if (macros != null) {
          codes.add(M4.code(macros.text(0, macros.length())));
        }
      }
    }
    Map<String, String> macros = CudaCheck.macros(codes);
    ConfigureScript script = ConfigureScript.of(file);
    CudaCheck all = CudaCheck.of(codes.getFirst(), macros);
    all.defines.stream()
        .filter(d -> !Names.twin(d).equals(d))
        .forEach(d -> switches.put(d, Names.twin(d)));
    boolean uses = makefiles.stream().anyMatch(m -> CUDA.matcher(m.text(0, m.length())).find());
    if (!all.isCheck() && !uses) {
      return;
    }
    for (Map.Entry<String, String> macro : macros.entrySet()) {
      rocm |=
          ROCM.matcher(macro.getValue()).find()
              && !M4.calls(codes.getFirst(), Pattern.quote(macro.getKey())).isEmpty();
    }
    if (rocm) {
      boolean own = codes.getFirst().contains("AX_CHECK_ROCM");
      if (!own) {
        changes(file)
            .finding(
                ALREADY_ROCM,
                Disposition.REVIEW,
                0,
                0,
                "this build already has options for ROCm or HIP; its files are unchanged");
      }
      return;
    }
    if (!script.isWhole()) {
      problem(
          file, 0, 0, "this file has unclosed brackets or compound commands; it was not ported");
      return;
    }
    Set<String> used = new TreeSet<>();
    Set<String> paths = new TreeSet<>();
    List<String> texts = new ArrayList<>(codes);
    makefiles.forEach(m -> texts.add(m.text(0, m.length())));
    AutotoolsCopies copies = new AutotoolsCopies(files.copies(), root, texts);
    Scripts scripts = makefiles(makefiles, used, paths, copies);
    String folder = macroFolder(codes.getFirst(), makefiles, root);
    boolean done =
        new ConfigurePort(this, script, macros)
            .port(used, paths, folder.isEmpty() ? "m4/" + MACROS : "");
    if (!done) {
      makefiles.forEach(m -> changes.remove(m.path()));
      return;
    }
    String place = root + (folder.isEmpty() ? "m4" : folder) + "/" + MACROS;
    added.put(place, new BuildPort.Added(BuiltInText.read("autotools/" + MACROS), path));
    scripts.contents().forEach((p, text) -> added.put(Names.file(p), new BuildPort.Added(text, p)));
    generated(root);
  }

  /** Reports files that must be generated again or ported by hand. */
  private void generated(String root) {
    for (String p : files.paths()) {
      if (!p.startsWith(root)) {
        continue;
      }
      if (p.equals(root + "configure")) {
        SourceFile configure = text(p);
        if (configure != null) {
          changes(configure)
              .finding(
                  GENERATED,
                  Disposition.REVIEW,
                  0,
                  0,
                  "this configure script was generated before the port; run autoreconf -i");
        }
      } else if (name(p).equals("Makefile.in")) {
        handmade(p);
      }
    }
  }

  private void handmade(String path) {
    SourceFile template = text(path);
    if (template == null) {
      return;
    }
    String text = template.text(0, template.length());
    Matcher m = CUDA.matcher(text);
    if (!text.contains("generated by automake") && m.find()) {
      int start = text.substring(0, m.start()).getBytes(StandardCharsets.UTF_8).length;
      changes(template)
          .finding(
              TEMPLATE,
              Severity.ERROR,
              Disposition.UNPORTED,
              start,
              start + m.group().length(),
              "this template uses CUDA and was not generated by automake; it was not ported",
              catalog.require(TEMPLATE).advice());
    }
  }

  private Scripts makefiles(
      List<SourceFile> makefiles, Set<String> used, Set<String> paths, AutotoolsCopies copies) {
    Scripts scripts = new Scripts(files);
    List<AutomakePort> ports = new ArrayList<>();
    for (SourceFile m : makefiles) {
      AutomakePort port = new AutomakePort(this, AutomakeFile.of(m), scripts, copies);
      port.collect();
      ports.add(port);
    }
    scripts.called();
    for (AutomakePort port : ports) {
      port.port();
      used.addAll(port.used());
      paths.addAll(port.paths());
    }
    return scripts;
  }

  private String macroFolder(String code, List<SourceFile> makefiles, String root) {
    Matcher m = FOLDER.matcher(code);
    if (m.find()) {
      return m.group(1);
    }
    for (SourceFile makefile : makefiles) {
      if (folder(makefile.path()).equals(root)) {
        Matcher s = SEARCHED.matcher(makefile.text(0, makefile.length()));
        if (s.find()) {
          return s.group(1);
        }
      }
    }
    return "";
  }

  private @org.jspecify.annotations.Nullable SourceFile text(String path) {
    SourceFile file = files.read(path);
    return file == null || !file.encoding().isText() ? null : file.withLineFeeds();
  }

  private static Optional<String> rootOf(String path, Set<String> roots) {
    return roots.stream()
        .filter(path::startsWith)
        .max(java.util.Comparator.comparingInt(String::length));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the folder of a path with a slash at the end; empty for the root of the tree. */
  private static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
