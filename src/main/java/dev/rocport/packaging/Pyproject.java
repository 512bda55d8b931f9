package dev.rocport.packaging;

import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The scikit-build-core settings of a {@code pyproject.toml}.
 *
 * @param name of the project
 * @param version of the project; empty if it is dynamic
 * @param arguments for cmake
 * @param site the folder whose packages would be installed, from the root; empty for the root
 */
public record Pyproject(String name, String version, List<String> arguments, String site) {
  private static final String FILE = "pyproject.toml";
  private static final String BACKEND = "scikit_build_core";

  /** The table of scikit-build-core, as keys lead to it. */
  static final String TABLE = "tool.scikit-build.";

  public Pyproject {
    arguments = List.copyOf(arguments);
  }

  /** Returns the project in a folder; empty if scikit-build-core does not build it. */
  public static Optional<Pyproject> of(Path root) throws IOException {
    Path file = root.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    List<Entry> entries = TomlEntries.of(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!one(entries, "build-system.build-backend").startsWith(BACKEND)) {
      return Optional.empty();
    }
    List<String> arguments = new ArrayList<>();
    List<String> defines = new ArrayList<>();
    String folder = "";
    for (Entry e : entries) {
      String key = e.path().startsWith(TABLE) ? e.path().substring(TABLE.length()) : "";
      if (key.equals("cmake.args[]")) {
        arguments.add(e.value());
      } else if (key.matches("cmake\\.define\\.\\w+")) {
        defines.add("-D%s=%s".formatted(key.substring(key.lastIndexOf('.') + 1), e.value()));
      } else if (key.equals("cmake.build-type")) {
        defines.add("-DCMAKE_BUILD_TYPE=" + e.value());
      } else if (key.equals("wheel.packages[]") && folder.isEmpty()) {
        folder = e.value();
      }
    }
    arguments.addAll(defines);
    String name = one(entries, "project.name");
    String version = one(entries, "project.version");
    return Optional.of(new Pyproject(name, version, arguments, site(root, name, folder)));
  }

  private static String one(List<Entry> entries, String path) {
    return entries.stream()
        .filter(e -> e.path().equals(path))
        .map(Entry::value)
        .findFirst()
        .orElse("");
  }

  private static String site(Path root, String name, String folder) {
    if (!folder.isEmpty()) {
      int slash = folder.lastIndexOf('/');
      boolean below = slash >= 0 && PathText.named(root, folder).isPresent();
      return below ? folder.substring(0, slash) : "";
    }
    for (String site : List.of("src", "python")) {
      Optional<Path> module = PathText.named(root.resolve(site), name.replace('-', '_'));
      if (module.filter(Files::isDirectory).isPresent()) {
        return site;
      }
    }
    return "";
  }
}
