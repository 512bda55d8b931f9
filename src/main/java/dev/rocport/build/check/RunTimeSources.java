package dev.rocport.build.check;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.unit.Language;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The CUDA sources of a tree that a program compiles when it runs. Such a source is text for the
 * build, and the program may define macros that the source needs.
 *
 * <p>There are two signs: a program calls NVRTC or hipRTC, and a string of a program is the name of
 * the source; or the build puts the text of the source into a program. A source that launches
 * kernels or defines {@code main} is none of them.
 */
public final class RunTimeSources {
  private static final String COMPILE = "CompileProgram";

  private static final Pattern COMPILES = Pattern.compile("\\b(?:nvrtc|hiprtc)CompileProgram\\b");

  private static final Pattern NAME = Pattern.compile("([\"'])([\\w./-]*\\w\\.(?:cu|hip))\\1");

  private static final Pattern HOST = Pattern.compile("<<<|\\bmain\\s*\\(");

  private final Path root;
  private final UnaryOperator<String> path;
  private final Map<String, String> originals = new HashMap<>();
  private final List<SourceName> names;
  private final List<SourceName> embedded;

  private RunTimeSources(
      Path root, UnaryOperator<String> path, List<SourceName> names, List<SourceName> embedded) {
    this.root = root;
    this.path = path;
    this.names = names;
    this.embedded = embedded;
  }

  /**
   * Reads a tree.
   *
   * @param root the original tree, or the ported one if it replaced the original
   * @param ported the results of the port
   * @param path where a file of the original is below the root
   * @param name the path in the ported tree of a file of the original
   */
  public static RunTimeSources of(
      Path root,
      Collection<FileResult> ported,
      UnaryOperator<String> path,
      UnaryOperator<String> name)
      throws IOException {
    List<SourceName> names = new ArrayList<>();
    Map<String, String> build = new HashMap<>();
    boolean compiles = false;
    for (FileResult file : ported) {
      boolean program =
          switch (file.language()) {
            case "cuda", "c++", "c", "java", "python" -> true;
            default -> false;
          };
      boolean setup = file.path().matches("(?:.*/)?setup\\.py");
      if (!program && !setup && !file.language().equals("build")) {
        continue;
      }
      String text = text(root.resolve(path.apply(file.path())));
      if (program && !setup) {
        compiles |= text.contains(COMPILE) && COMPILES.matcher(text).find();
        names.addAll(named(file, text));
      } else {
        build.put(file.path(), text);
      }
    }
    List<SourceName> embedded = new ArrayList<>(CMakeEmbedding.of(build));
    embedded.addAll(MakeEmbedding.of(build));
    RunTimeSources sources =
        new RunTimeSources(root, path, compiles ? List.copyOf(names) : List.of(), embedded);
    for (FileResult file : ported) {
      sources.originals.put(name.apply(file.path()), file.path());
    }
    return sources;
  }

  private static String text(Path file) throws IOException {
    return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
  }

  /** Returns the names of CUDA sources in the strings of a program. */
  private static List<SourceName> named(FileResult file, String text) {
    if (!NAME.matcher(text).find()) {
      return List.of();
    }
    List<SourceName> found = new ArrayList<>();
    if (file.language().equals("python")) {
      int line = 0;
      for (String code : text.lines().toList()) {
        line++;
        for (MatchResult m : NAME.matcher(code.replaceFirst("^\\s*#.*", "")).results().toList()) {
          found.add(SourceName.of(m.group(2), file.path(), line));
        }
      }
      return found;
    }
    SourceFile source = new SourceFile(file.path(), text.getBytes(StandardCharsets.ISO_8859_1));
    Tokens t = Lexer.lex(source);
    for (int i = 0; i < t.count(); i++) {
      int d = t.directiveOf(i);
      boolean include = d >= 0 && t.directives().get(d).isInclude();
      if (t.kind(i) == Tokens.STRING && !include) {
        int start = t.start(i);
        NAME.matcher(t.text(i))
            .results()
            .map(m -> SourceName.of(m.group(2), file.path(), source.line(start)))
            .forEach(found::add);
      }
    }
    return found;
  }

  /** Returns whether a unit with this verdict may be compiled when a program runs. */
  public static boolean mayHave(CheckedUnit unit) {
    boolean open = unit.verdict() == Verdict.SILENT || unit.verdict() == Verdict.UNCHECKED;
    return open && Language.ofFile(unit.path()).filter(l -> l == Language.HIP).isPresent();
  }

  /**
   * Returns the verdict on a unit that no build compiles: one that a program compiles when it runs
   * is not checked if it has errors without a finding.
   */
  public CheckedUnit of(CheckedUnit unit) throws IOException {
    Optional<String> why = mayHave(unit) ? reason(unit.path()) : Optional.empty();
    if (why.isEmpty()) {
      return unit;
    }
    return unit.unchecked(why.get());
  }

  /** Returns why a unit is compiled when the program runs; empty if there is no sign of it. */
  private Optional<String> reason(String unit) throws IOException {
    String file = originals.getOrDefault(unit, unit);
    if (HOST.matcher(text(root.resolve(path.apply(file)))).find()) {
      return Optional.empty();
    }
    return place(file, names)
        .map(p -> "the program, not the build, compiles it with hipRTC; %s names it".formatted(p))
        .or(
            () ->
                place(file, embedded)
                    .map(
                        p ->
                            "the build puts its text into a program, which compiles it when it"
                                + " runs; see %s".formatted(p)));
  }

  private Optional<String> place(String file, List<SourceName> places) {
    return places.stream()
        .filter(p -> p.matches(file))
        .filter(p -> p.isNear(file) || originals.values().stream().filter(p::matches).count() == 1)
        .findFirst()
        .map(SourceName::place);
  }
}
