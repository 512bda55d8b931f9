package dev.rocport.lang.java;

import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.buildsystem.shared.ProjectFiles;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds Java builds that depend on CUDA bindings; builds are never edited. */
public final class JavaBuilds {
  private static final String RULE = "JAVA-BUILD";
  private static final Set<String> NAMES =
      Set.of(
          "pom.xml",
          "build.gradle",
          "build.gradle.kts",
          "libs.versions.toml",
          "build.sbt",
          "ivy.xml");

  /** Comments, and artifacts by their group: Maven's, Gradle's and its catalogs', sbt's. */
  private static final Pattern ARTIFACT =
      Pattern.compile(
          "<!--.*?(?:-->|\\z)"
              + "|(?m:^[ \t]*//[^\n]*)"
              + "|<groupId>\\s*(?<maven>org\\.jcuda|org\\.bytedeco)\\s*</groupId>\\s*"
              + "<artifactId>\\s*(?<artifact>[^<\\s]+)\\s*</artifactId>"
              + "|[\"'](?<gradle>org\\.jcuda|org\\.bytedeco):(?<name>[\\w.-]+)"
              + "|[\"'](?<sbt>org\\.jcuda|org\\.bytedeco)[\"']\\s*%%?\\s*[\"'](?<module>[\\w.-]+)"
              + "|org=\"(?<ivy>org\\.jcuda|org\\.bytedeco)\"\\s+name=\"(?<part>[\\w.-]+)\"",
          Pattern.DOTALL);

  private static final List<List<String>> GROUPS =
      List.of(
          List.of("maven", "artifact"),
          List.of("gradle", "name"),
          List.of("sbt", "module"),
          List.of("ivy", "part"));

  private JavaBuilds() {}

  /** True for files of these names. */
  public static boolean serves(String path) {
    return NAMES.contains(path.substring(path.lastIndexOf('/') + 1));
  }

  /** What is found in the builds of a tree. */
  public static BuildPort port(RuleCatalog catalog, PortOptions options, ProjectFiles files) {
    SortedMap<String, Changes> found = new TreeMap<>();
    for (String path : files.paths()) {
      SourceFile file = serves(path) ? files.read(path) : null;
      if (file != null && file.encoding().isText()) {
        Changes changes = look(catalog, options, file);
        if (!changes.findings().isEmpty()) {
          found.put(path, changes);
        }
      }
    }
    return new BuildPort(found, new TreeMap<>(), new TreeMap<>());
  }

  /** What is found in one file. */
  public static Changes look(RuleCatalog catalog, PortOptions options, SourceFile file) {
    Changes changes = new Changes(file, catalog, options.filter());
    Matcher m = ARTIFACT.matcher(new String(file.bytes(), StandardCharsets.ISO_8859_1));
    while (m.find()) {
      for (List<String> names : GROUPS) {
        String group = m.group(names.getFirst());
        String artifact = m.group(names.getLast());
        if (group != null
            && artifact != null
            && (group.equals("org.jcuda") || artifact.startsWith("cuda"))) {
          changes.finding(
              RULE,
              Disposition.UNPORTED,
              m.start(),
              m.end(),
              group + ":" + artifact + " has no counterpart for ROCm");
        }
      }
    }
    return changes;
  }
}
