package dev.rocport.toolchain.packages;

import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The packages of a toolchain, listed in {@code MANIFEST.tsv} next to them. Tab-separated columns:
 * sha256, group, package, version, file name.
 */
public record Manifest(List<Deb> debs) {
  public static final String FILE = "MANIFEST.tsv";

  public Manifest {
    List<Group> groups = PackageList.builtIn().groups();
    debs =
        debs.stream()
            .sorted(
                Comparator.<Deb>comparingInt(d -> groups.indexOf(d.group()))
                    .thenComparing(Deb::name))
            .toList();
  }

  public String text() {
    StringBuilder out = new StringBuilder("# sha256\tgroup\tpackage\tversion\tfile\n");
    for (Deb d : debs) {
      out.append(
          String.join(
              "\t",
              d.sha256(),
              d.group().name(),
              d.name(),
              d.version(),
              String.valueOf(d.file().getFileName()) + "\n"));
    }
    return out.toString();
  }

  List<Deb> of(Group group) {
    return debs.stream().filter(d -> d.group().equals(group)).toList();
  }

  /**
   * Reads the manifest of a folder; the files are not checked.
   *
   * @throws ToolchainException if there is none or it is malformed
   */
  static Manifest read(Path folder) throws IOException, ToolchainException {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new ToolchainException(
          folder
              + " has no "
              + FILE
              + ": fill the folder with 'rocport toolchain install --download-only DIR' on a"
              + " machine with network access");
    }
    List<Deb> debs = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] c = line.split("\t");
      if (c.length != 5 || !c[0].matches("[0-9a-f]{64}") || c[4].contains("/")) {
        throw new ToolchainException(file + " is malformed at: " + line);
      }
      debs.add(new Deb(group(file, c[1]), c[2], c[3], c[0], folder.resolve(c[4])));
    }
    return new Manifest(debs);
  }

  private static Group group(Path file, String name) throws ToolchainException {
    Group group = new Group(name);
    if (!PackageList.builtIn().groups().contains(group)) {
      throw new ToolchainException(file + " names an unknown group: " + name);
    }
    return group;
  }
}
