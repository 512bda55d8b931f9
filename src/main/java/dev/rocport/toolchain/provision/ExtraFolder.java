package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The folder where the packages of an extra are unpacked.
 *
 * @param root the folder
 * @param place where it will be when it is published; the folder itself until then
 */
public record ExtraFolder(Path root, Path place) {
  /** The folder of the programs that others call. */
  public Path bin() {
    return root.resolve("bin");
  }

  /** A program that finds its own folder, tells the real one what it has to know, and starts it. */
  public void script(String name, String program, Map<String, String> variables)
      throws IOException {
    Path at = bin().resolve(name);
    StringBuilder text =
        new StringBuilder(
            "#!/bin/sh\nd=$(cd \"$(dirname \"$(readlink -f \"$0\")\")/..\" && pwd)\n");
    variables.forEach((k, v) -> text.append("export %s=\"%s\"\n".formatted(k, v)));
    text.append(
        """
        LD_LIBRARY_PATH=$d/%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export LD_LIBRARY_PATH
        exec "$d/usr/bin/%s" "$@"
        """
            .formatted(root.relativize(libraries()), program));
    Files.writeString(at, text);
    Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The folder of its libraries. */
  public Path libraries() throws IOException {
    return Folders.list(root.resolve("usr/lib")).stream()
        .filter(p -> p.toString().endsWith("-linux-gnu"))
        .findFirst()
        .orElse(root.resolve("usr/lib"));
  }

  /**
   * The program of the packages whose name matches a pattern.
   *
   * @param otherwise what to call it where there is none
   */
  public String program(String pattern, String otherwise) throws IOException {
    return Folders.list(root.resolve("usr/bin")).stream()
        .map(p -> String.valueOf(p.getFileName()))
        .filter(n -> n.matches(pattern))
        .findFirst()
        .orElse(otherwise);
  }

  /** Its programs before those of the machine. */
  public String path() {
    return bin() + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  /** Runs one of its programs, to try it. */
  public ToolRun run(List<String> command, Path folder, Map<String, String> environment)
      throws IOException {
    return ToolRun.of(command, folder, environment, Duration.ofMinutes(2));
  }
}
