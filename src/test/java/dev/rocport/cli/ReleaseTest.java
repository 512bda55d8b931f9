package dev.rocport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in the layout of a release, with a Java that prints what it is called with. */
@Tag("slow")
class ReleaseTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));

  @TempDir private Path folder;
  private Path release;

  @BeforeEach
  void lay() throws IOException {
    release = Files.createDirectories(folder.toRealPath().resolve("rocport 1.0"));
    Files.copy(HOME.resolve("rocport"), release.resolve("rocport"));
    Files.createDirectories(release.resolve("java"));
    Files.createFile(release.resolve("java/rocport-1.0.jar"));
    Files.createDirectories(release.resolve("jre/lib/server"));
    Path java = Files.createDirectories(release.resolve("jre/bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        for a in "$@"; do
          case $a in -XX:SharedArchiveFile=*classes.jsa*) echo classes > "${a#*=}" ;; esac
          echo "$a"
        done
        """);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    assertThat(release.resolve("rocport").toFile().setExecutable(true)).isTrue();
  }

  /** The arguments of Java; nothing of this machine is on the path but the usual programs. */
  private List<String> run(Path program) throws Exception {
    ProcessBuilder b = new ProcessBuilder(program.toString(), "--version");
    b.environment().clear();
    b.environment().put("PATH", "/usr/bin:/bin");
    b.environment().put("ROCPORT_CACHE", folder.resolve("cache").toString());
    b.directory(folder.toFile());
    b.redirectErrorStream(true);
    Process p = b.start();
    List<String> lines = p.inputReader().readAllLines();
    assertThat(p.waitFor()).as(lines.toString()).isZero();
    return lines;
  }

  @Test
  void usesTheJavaAndTheJarOfTheRelease() throws Exception {
    assertThat(run(release.resolve("rocport")))
        .contains("-Drocport.home=" + release, release + "/java/rocport-1.0.jar", "--version")
        .noneMatch(line -> line.contains("JDK"));
  }

  @Test
  void isFoundThroughLinks() throws Exception {
    Path link = Files.createDirectories(folder.resolve("bin")).resolve("rocport");
    Files.createSymbolicLink(link, Path.of("../rocport 1.0/rocport"));
    assertThat(run(link)).contains("-Drocport.home=" + release);
  }

  @Test
  void theFirstRunMakesTheArchiveOfJavasClasses() throws Exception {
    Path classes = release.resolve("jre/lib/server/classes.jsa");
    run(release.resolve("rocport"));
    assertThat(classes).hasContent("classes");
    Files.writeString(classes, "kept");
    run(release.resolve("rocport"));
    assertThat(classes).hasContent("kept");
    assertThat(release.resolve("jre/lib/server")).isDirectoryContaining("glob:**/classes.jsa");
  }

  @Test
  void theChangelogsNewestSectionIsOfThePomsVersion() throws Exception {
    Matcher version =
        Pattern.compile("<artifactId>rocport</artifactId>\\s*<version>(.*)</version>")
            .matcher(Files.readString(HOME.resolve("pom.xml")));
    Matcher section =
        Pattern.compile("(?m)^## \\[(\\d.*)] - (Unreleased|\\d{4}-\\d\\d-\\d\\d)$")
            .matcher(Files.readString(HOME.resolve("CHANGELOG.md")));
    assertThat(version.find()).isTrue();
    assertThat(section.find()).isTrue();
    assertThat(section.group(1)).isEqualTo(version.group(1));
  }
}
