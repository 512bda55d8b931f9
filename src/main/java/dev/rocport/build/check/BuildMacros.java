package dev.rocport.build.check;

import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.FileResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The macros that the build files of a tree define with {@code -D}. */
public final class BuildMacros {
  private static final Pattern DEFINE = Pattern.compile("(?<![\\w-])-D\\s?([A-Za-z_]\\w*)");

  private final Set<String> macros = new HashSet<>();

  /**
   * @param root the ported tree
   * @param ported the results of the port
   * @param name the path in the ported tree of a file of the original
   */
  public BuildMacros(Path root, Collection<FileResult> ported, UnaryOperator<String> name)
      throws IOException {
    for (FileResult file : ported) {
      Path path = root.resolve(name.apply(file.path()));
      if (file.language().equals("build") && Files.isRegularFile(path)) {
        Matcher m = DEFINE.matcher(Files.readString(path, StandardCharsets.ISO_8859_1));
        while (m.find()) {
          macros.add(m.group(1));
        }
      }
    }
  }

  /** Returns a macro that a unit, which the build has not compiled, lacks. */
  public Optional<String> missingIn(UnitResult unit) {
    return unit.findings().stream()
        .map(f -> Explanations.missing(f.message()))
        .flatMap(Optional::stream)
        .filter(macros::contains)
        .findFirst();
  }
}
