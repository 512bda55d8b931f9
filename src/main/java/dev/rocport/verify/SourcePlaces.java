package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the lines of a program's sources that the device names. */
final class SourcePlaces {
  private static final Pattern LINE = Pattern.compile("(.+):([1-9]\\d{0,8})");

  private final String program;
  private final Path base;
  private final OriginalPlaces originals;

  /**
   * Those of a program.
   *
   * @param program its file
   */
  SourcePlaces(RuleCatalog catalog, String program) {
    this(catalog, program, Path.of("").toAbsolutePath());
  }

  /**
   * Those of a program.
   *
   * @param base paths below it are shown relative to it
   */
  SourcePlaces(RuleCatalog catalog, String program, Path base) {
    this.program = program;
    this.base = base;
    this.originals = new OriginalPlaces(catalog);
  }

  /** A finding with the lines that take part, on both sides of the port. */
  VerifyInfo.Found found(String where, SeenFinding finding) throws IOException {
    List<VerifyInfo.Sides> sides = new ArrayList<>();
    for (String source : finding.sources()) {
      SourcePlace place = of(source);
      List<String> lines = place.excerpt();
      if (!lines.isEmpty()) {
        sides.add(
            new VerifyInfo.Sides(
                place.path()
                    + ":"
                    + place.line()
                    + (place.newer() ? ", newer than the program" : ""),
                lines,
                place.original().map(OriginalPlace::toString).orElse(""),
                place.original().map(OriginalPlace::excerpt).orElse(List.of())));
      }
    }
    return new VerifyInfo.Found(where, finding.toString(), sides);
  }

  /** The place of {@code file:line}; without a line, the program itself. */
  SourcePlace of(String source) {
    Matcher place = LINE.matcher(source);
    if (!place.matches()) {
      return new SourcePlace(program, 0, Path.of(program), Optional.empty(), false);
    }
    Path file = file(place.group(1));
    int line = Integer.parseInt(place.group(2));
    return new SourcePlace(shown(file), line, file, originals.of(file, line), isNewer(file));
  }

  /** Whether a file has changed since the program was built; a script tells nothing of that. */
  private boolean isNewer(Path file) {
    Path built = Path.of(program);
    try {
      return ElfFile.hasMagic(built)
          && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(built)) > 0;
    } catch (IOException e) {
      // Nothing is known of a file that cannot be looked at, and it is not shown either.
      return false;
    }
  }

  /** A file and line with the path as it is shown; other words stay as they are. */
  String shown(String source) {
    Matcher place = LINE.matcher(source);
    return place.matches() ? shown(file(place.group(1))) + ":" + place.group(2) : source;
  }

  /**
   * The source that a relative name means: compilers run in a folder that the program is in or
   * below, such as the root of a ported tree.
   */
  private Path file(String source) {
    Path here = Path.of("").toAbsolutePath();
    for (Path folder = here.resolve(program).normalize().getParent();
        folder != null;
        folder = folder.getParent()) {
      Path file = folder.resolve(source).normalize();
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    return here.resolve(source).normalize();
  }

  /** The path as seen from the base, if it is below that. */
  private String shown(Path file) {
    return (file.startsWith(base) ? base.relativize(file) : file).toString();
  }
}
