package dev.rocport.buildsystem.shell;

import dev.rocport.buildsystem.command.CommandPort;
import dev.rocport.buildsystem.command.Facts;
import dev.rocport.buildsystem.command.Outcome;
import dev.rocport.buildsystem.command.Syntax;
import dev.rocport.buildsystem.command.Topic;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.BuildSystem;
import dev.rocport.buildsystem.shared.CubNamespace;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.buildsystem.shared.SystemPort;
import dev.rocport.buildsystem.shell.ShellFile.Kind;
import dev.rocport.buildsystem.shell.ShellFile.Part;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Ports shell scripts that call nvcc. */
public final class BuildScripts extends SystemPort {
  public static final BuildSystem SYSTEM =
      new BuildSystem("script", BuildScripts::serves, BuildScripts::new, List.of(ScriptGate.GATE));

  private static final String PREFIX = "SCRIPT-";
  private static final String GATE = "SCRIPT-GATE";
  private static final Pattern CUDA =
      Pattern.compile("(?i)nvcc|/cuda\\b|/cuda-|CUDA_(PATH|HOME)|-lcu");

  private BuildScripts(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    super(catalog, options, files);
  }

  /** Returns true for file names of shell scripts. */
  public static boolean serves(String path) {
    return BuildFileNames.isShellScript(path);
  }

  @Override
  protected void portTree() {
    Set<String> autotoolsFolders = autotoolsFolders(files);
    for (String path : files.paths()) {
      boolean maybe = BuildFileNames.isShellScript(path) || ShellFile.maybe(path);
      if (!maybe || files.isSource(path) || autotoolsFolders.stream().anyMatch(path::startsWith)) {
        continue;
      }
      SourceFile file = files.read(path);
      if (file != null && file.encoding().isText()) {
        script(file.withLineFeeds());
      }
    }
    changes.values().removeIf(c -> c.edits().isEmpty() && c.findings().isEmpty());
  }

  @Override
  protected void portSnippet(SourceFile file) {
    script(file);
  }

  /** Returns the folders of autotools builds. Their scripts are ported with the build. */
  private static Set<String> autotoolsFolders(ProjectFiles files) {
    Set<String> folders = new TreeSet<>();
    for (String path : files.paths()) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (name.equals("configure.ac") || name.equals("configure.in")) {
        folders.add(path.substring(0, path.length() - name.length()));
      }
    }
    return folders;
  }

  private void script(SourceFile file) {
    if (ScriptGate.GATE.count(file) > 0 || file.path().contains(".rocm")) {
      return; // ported before
    }
    if (!CUDA.matcher(file.text(0, file.length())).find()) {
      return;
    }
    Optional<ShellFile> read = ShellFile.of(file);
    if (read.isEmpty()) {
      return;
    }
    ShellFile script = read.get();
    Facts facts = new Facts(Syntax.SHELL, files.copies());
    collect(script, facts);
    facts.close();
    if (!facts.isCuda()) {
      return;
    }
    Changes reported = fresh(file);
    changes.put(file.path(), reported);
    if (facts.isForRocm()) {
      reported.finding(
          "SCRIPT-THERE",
          Disposition.REVIEW,
          0,
          0,
          "this script already calls hipcc; it is unchanged");
      return;
    }
    if (options.style() != Style.SINGLE_SOURCE) {
      port(script, facts, reported);
      return;
    }
    Changes ported = fresh(file);
    port(script, facts, ported);
    ported.findings().forEach(reported::adopt);
    if (!ported.edits().isEmpty() && reported.allows(GATE)) {
      if (ScriptGate.GATE.serves(file.path())) {
        gate(file, reported);
      } else {
        reported.finding(
            GATE, Disposition.REVIEW, 0, 0, "run " + twin(file.path()) + " to build for AMD GPUs");
      }
      byte[] twin = ported.edits().apply(file.bytes());
      added.put(
          twin(file.path()),
          new BuildPort.Added(new String(twin, StandardCharsets.UTF_8), file.path()));
    }
  }

  /** Returns the path of the twin of a script. */
  private static String twin(String path) {
    return path.matches(".*[^/]\\.\\w+")
        ? path.replaceFirst("\\.(\\w+)$", ".rocm.$1")
        : path + ".rocm";
  }

  private static void gate(SourceFile file, Changes reported) {
    String path = file.path();
    String twin = twin(path);
    List<String> lines =
        List.of(
            "if [ \"${USE_ROCM:-0}\" = 1 ]; then",
            "  . \"$(dirname \"$0\")/" + twin.substring(twin.lastIndexOf('/') + 1) + "\"",
            "  exit",
            "fi");
    boolean script = file.text(0, Math.min(2, file.length())).equals("#!");
    int at = script && file.lines() > 1 ? file.lineStart(2) : 0;
    reported.edit(Edit.before(at, ScriptGate.GATE.around(lines, file.newline()), GATE));
  }

  private static void collect(ShellFile script, Facts facts) {
    String text = script.text();
    for (Part p : script.parts()) {
      String all = text.substring(p.start(), p.end());
      switch (p.kind()) {
        case ASSIGNMENT -> {
          facts.assign(p.name(), text.substring(p.value(), p.valueEnd()).strip());
          facts.mention(all);
          facts.archives().mention(all, "");
        }
        case COMMAND -> {
          facts.command(all);
          facts.archives().mention(all, "");
        }
        case COMMENT, DATA -> {}
      }
    }
  }

  private void port(ShellFile script, Facts facts, Changes changes) {
    CommandPort port = new CommandPort(facts, script.text());
    CubNamespace namespaces = new CubNamespace(changes);
    for (Part p : script.parts()) {
      namespaces.report(script.text(), p.start(), p.end());
      switch (p.kind()) {
        case ASSIGNMENT -> {
          int before = port.outcome().changes().size();
          port.value(p.name(), p.value(), p.valueEnd());
          List<Outcome.Change> all = port.outcome().changes();
          List<Outcome.Change> its = List.copyOf(all.subList(before, all.size()));
          if (its.stream().anyMatch(c -> c.text().contains(" "))) {
            quote(script, p, port);
          }
          boolean refers = its.stream().anyMatch(c -> c.text().contains("$"));
          if (refers && script.text().startsWith("'", p.value() - 1)) {
            requote(script, p, port);
          }
          boolean quoted = "\"'(".indexOf(script.text().charAt(p.value() - 1)) >= 0;
          port.names(p.start(), quoted ? p.value() - 1 : p.value());
        }
        case COMMAND -> port.commands(p.start(), p.end());
        case COMMENT -> port.names(p.start(), p.end());
        case DATA -> data(script, p, changes);
      }
    }
    head(script, facts, port.outcome().report(changes, PREFIX), changes);
  }

  /** Quotes a value that was one word and now has blanks. */
  private static void quote(ShellFile script, Part p, CommandPort port) {
    boolean plain = script.text().charAt(p.value() - 1) == '=';
    if (plain && script.text().substring(p.value(), p.valueEnd()).matches("[^\\s\"'`(\\\\]+")) {
      port.replace(p.value(), p.value(), "\"", Topic.FLAG);
      port.replace(p.valueEnd(), p.valueEnd(), "\"", Topic.FLAG);
    }
  }

  /** Replaces single quotes, in which the shell expands nothing. */
  private static void requote(ShellFile script, Part p, CommandPort port) {
    String value = script.text().substring(p.value(), p.valueEnd());
    if (value.matches("[^\"$`\\\\]*")) {
      port.replace(p.value() - 1, p.value(), "\"", Topic.ARCH);
      port.replace(p.valueEnd(), p.valueEnd() + 1, "\"", Topic.ARCH);
    }
  }

  /** Inserts the variables that the ported lines need, after the comments at the head. */
  private static void head(ShellFile script, Facts facts, String ported, Changes changes) {
    StringBuilder head = new StringBuilder();
    String nl = script.source().newline();
    for (String[] need : facts.needs(ported, facts::isSet)) {
      if (need[0].equals(CommandPort.ARCH)) {
        head.append("# GPUs to build for, separated by commas: ROCM_ARCH=gfx90a,gfx942").append(nl);
        head.append("ROCM_ARCHFLAGS=\"--offload-arch=${ROCM_ARCH:-native}\"").append(nl);
      } else {
        head.append("%1$s=\"${%1$s:-%2$s}\"".formatted(need[0], need[1])).append(nl);
      }
    }
    if (!head.isEmpty() && changes.allows(PREFIX + "ARCH")) {
      int at = script.text().length();
      for (Part p : script.parts()) {
        if (p.kind() != Kind.COMMENT) {
          at = script.source().lineStart(script.source().line(p.start()));
          break;
        }
      }
      changes.edit(Edit.before(at, head.toString(), PREFIX + "ARCH"));
    }
  }

  private static void data(ShellFile script, Part p, Changes changes) {
    if (CUDA.matcher(script.text().substring(p.start(), p.end())).find()) {
      changes.finding(
          PREFIX + "UNKNOWN",
          Severity.WARNING,
          Disposition.REVIEW,
          p.start(),
          p.end(),
          "this text mentions CUDA and was not ported",
          "Check the program that reads it.");
    }
  }
}
