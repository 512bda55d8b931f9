package dev.rocport.build.check;

import dev.rocport.build.plan.PlanException;
import dev.rocport.build.project.Beside;
import dev.rocport.build.unit.LineMap;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.Globs;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.Folders;
import dev.rocport.io.PathText;
import dev.rocport.port.OutputNames;
import dev.rocport.port.Porter;
import dev.rocport.port.ProgressListener;
import dev.rocport.port.ShimHeaders;
import dev.rocport.port.TreeTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A ported folder among ports of the files that are beside the original, as far as the compiler
 * reads them.
 *
 * @param root the folder to compile: a copy of the port, or the port itself if it needs no others
 * @param includes folders of headers outside the root, for units whose flags are not known
 * @param before the same folders beside the original
 * @param findings warnings and errors of the files outside; their paths are relative to the root,
 *     and their messages begin with the place
 * @param outside the ports of the files outside; empty if there are none
 */
public record Surroundings(
    Path root,
    List<Path> includes,
    List<Path> before,
    List<Finding> findings,
    Optional<Outside> outside) {
  private static final String HEADERS = "rocport";

  /** The folder in which the root has the same place as the original. */
  private static final Path BESIDE = Path.of("around", "beside");

  private static final Pattern OUTSIDE =
      Pattern.compile("\\(in (/\\S*/" + BESIDE + "/\\S+?):(\\d{1,9})\\)");

  /**
   * Ports of the files outside.
   *
   * @param ports their folder
   * @param originals the folder with the originals at the same paths
   */
  public record Outside(Path ports, Path originals) {
    /** Returns the line of the original; the same line if the file cannot be read. */
    int lineBefore(Path port, int line) {
      try {
        List<String> after = Files.readAllLines(port, StandardCharsets.ISO_8859_1);
        Path original = originals.resolve(ports.relativize(port));
        return LineMap.of(Files.readAllLines(original, StandardCharsets.ISO_8859_1), after)
            .before(line);
      } catch (IOException e) {
        return line;
      }
    }
  }

  /** A place in a file outside, relative to the root. */
  private record Place(String path, int line) {}

  public Surroundings {
    includes = List.copyOf(includes);
    before = List.copyOf(before);
    findings = List.copyOf(findings);
  }

  /** Returns a finding whose message names files and lines outside as the original has them. */
  public Finding shown(Finding f) {
    Matcher file = OUTSIDE.matcher(f.message());
    Optional<Place> place = file.find() ? place(file) : Optional.empty();
    return place
        .map(p -> Matcher.quoteReplacement("(in %s:%d)".formatted(p.path(), p.line())))
        .map(p -> f.at(f, file.replaceFirst(p)))
        .orElse(f);
  }

  /** Returns a finding about the line of a file outside in which an error is. */
  Optional<Finding> about(Finding error) {
    Matcher file = OUTSIDE.matcher(error.message());
    Optional<Place> place = file.find() ? place(file) : Optional.empty();
    return place.flatMap(
        p ->
            findings.stream()
                .filter(f -> f.path().equals(p.path()))
                .filter(f -> f.line() <= p.line() && p.line() <= f.endLine())
                .findFirst());
  }

  private Optional<Place> place(Matcher file) {
    Path port = Path.of(file.group(1));
    return outside.map(
        o ->
            new Place(
                PathText.of(root.relativize(port)),
                o.lineBefore(port, Integer.parseInt(file.group(2)))));
  }

  /** Returns a port that needs no other files. */
  public static Surroundings none(Path root) {
    return new Surroundings(root, List.of(), List.of(), List.of(), Optional.empty());
  }

  /**
   * Ports the files beside a folder into another one, and copies the port of the folder there.
   *
   * @param files the files that were ported
   * @param ported their port
   * @param out a folder for temporary files
   * @param isForeign whether the compiler finds a header without flags
   * @throws PlanException if the files name folders too far above the folder
   */
  public static Surroundings of(
      SourceTree files, Path ported, Path out, Porter porter, Predicate<String> isForeign)
      throws IOException, PlanException {
    Path original = files.root();
    List<Path> own = files.entries().stream().map(TreeEntry::file).toList();
    Beside beside = Beside.of(original, own, isForeign);
    if (beside.files().isEmpty()) {
      return none(ported);
    }
    Path top = original;
    for (Path file : beside.files()) {
      while (!file.startsWith(top)) {
        top = top.resolveSibling("");
      }
    }
    TreeSelection selection =
        new TreeSelection(top, List.of(top), Globs.NONE, Globs.NONE, Set.of());
    List<TreeEntry> entries = new ArrayList<>();
    for (Path file : beside.files()) {
      String path = PathText.of(top.relativize(file));
      entries.add(SourceTree.entry(selection, file, path, Files.size(file)));
    }
    SourceTree tree = new SourceTree(top, entries, List.of());
    Path copy = out.resolve(BESIDE);
    Files.createDirectories(copy);
    List<FileResult> results = new ArrayList<>();
    try (TreeTarget target =
        TreeTarget.open(
            new TreeWriter(copy), ShimHeaders.ofHome(), OutputNames.of(Map.of()), false)) {
      results.addAll(porter.run(tree, target, ProgressListener.NONE));
      target.finish(tree, selection, results);
    }
    Path root = copy.resolve(top.relativize(original));
    List<Path> includes = new ArrayList<>();
    for (Path folder : beside.includes()) {
      includes.add(copy.resolve(top.relativize(folder)));
    }
    if (Files.isDirectory(copy.resolve(HEADERS))) {
      // Projects search for these headers in the root, and other units here.
      Folders.copy(copy.resolve(HEADERS), root.resolve(HEADERS));
      Path added = out.resolve("added");
      Folders.copy(copy.resolve(HEADERS), added.resolve(HEADERS));
      includes.add(added);
    }
    Folders.copy(ported, root);
    List<Finding> findings = new ArrayList<>();
    for (FileResult file : results) {
      String path = PathText.of(original.relativize(PathText.resolve(top, file.path())));
      file.findings().stream()
          .filter(f -> f.severity() != Severity.NOTE)
          .forEach(f -> findings.add(placed(f, path)));
    }
    Optional<Outside> outside = Optional.of(new Outside(copy, top));
    return new Surroundings(root, includes, beside.includes(), findings, outside);
  }

  /** Returns the same finding with the path relative to the root, also in its message. */
  private static Finding placed(Finding f, String path) {
    return new Finding(
        f.rule(),
        f.severity(),
        f.disposition(),
        path,
        f.line(),
        f.column(),
        f.endLine(),
        f.endColumn(),
        "%s:%d: %s".formatted(path, f.line(), f.message()),
        f.advice(),
        f.snippet(),
        f.fingerprint());
  }
}
