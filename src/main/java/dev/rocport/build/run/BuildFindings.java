package dev.rocport.build.run;

import dev.rocport.build.compile.Compilation;
import dev.rocport.build.compile.Diagnostic;
import dev.rocport.build.compile.DiagnosticParser;
import dev.rocport.build.compile.NewerNames;
import dev.rocport.build.compile.TextsHash;
import dev.rocport.build.unit.Origin;
import dev.rocport.build.unit.OriginMap;
import dev.rocport.build.unit.Unit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Converts messages of the compiler and linker to findings about the original source. */
public final class BuildFindings {
  public static final String ERROR = "BUILD-ERROR";
  public static final String NEEDS = "BUILD-HIP-VERSION";
  public static final String LINK = "BUILD-LINK";
  public static final String PROJECT = "BUILD-PROJECT";

  /** A note about the definition of a macro whose use has an error; its location follows. */
  public static final String EXPANDED = "expanded from macro ";

  /** Notes about the declarations that an ambiguous name may mean. */
  private static final String CANDIDATE = "candidate found by name lookup";

  /** Notes about a function that the device does not have. */
  public static final String HOST_ONLY = "not viable: call to __host__ function from ";

  /** Errors about a function of the host, with a note about its declaration. */
  private static final String HOST_FUNCTION = "reference to __host__ ";

  private static final String DECLARED = "declared here";

  /** Notes about a function that the host does not have. */
  public static final String DEVICE_ONLY =
      "not viable: call to __device__ function from __host__ function";

  /** So many of them are in a message: each note is one declaration. */
  private static final int CANDIDATES = 3;

  private static final String REQUESTED = "requested here";
  private static final int SNIPPET = 160;

  private final Path root;
  private final RuleCatalog catalog;
  private final OriginMap origins;
  private final NewerNames newer;
  private final UnaryOperator<Path> toTree;
  private final int targets;
  private final Map<String, Integer> occurrences = new HashMap<>();

  /** A location in the tree. */
  private record Place(String path, int line, int column) {}

  /**
   * @param root root of the ported tree
   * @param toTree maps a file of the copy to the file of the tree
   * @param targets number of GPU targets
   */
  public BuildFindings(
      Path root,
      RuleCatalog catalog,
      OriginMap origins,
      NewerNames newer,
      UnaryOperator<Path> toTree,
      int targets) {
    this.targets = targets;
    this.root = root;
    this.catalog = catalog;
    this.origins = origins;
    this.newer = newer;
    this.toTree = toTree;
  }

  /** Returns whether old HIP headers are the reason of all errors. */
  boolean onlyTooOld(Compilation failed) {
    List<Diagnostic> errors = failed.diagnostics().stream().filter(Diagnostic::isError).toList();
    return !errors.isEmpty() && errors.stream().allMatch(e -> newer.needed(e).isPresent());
  }

  /** Returns one finding per error, in compiler order. */
  List<Finding> of(Compilation failed) {
    List<Finding> found = new ArrayList<>();
    Unit unit = failed.unit();
    Optional<Place> before = Optional.empty();
    for (Diagnostic d : failed.diagnostics()) {
      if (d.isError()) {
        Place place = place(unit, d, before);
        found.add(finding(unit, d, place));
        before = inTree(unit, d).isPresent() ? Optional.empty() : Optional.of(place);
      }
    }
    if (found.isEmpty() && !failed.ok()) {
      found.add(finding(ERROR, new Place(unit.path(), 0, 0), failed.message()));
    }
    return found;
  }

  /** Returns a finding about a build file of the project. */
  public Finding project(String path, String message) {
    return finding(PROJECT, new Place(path, 0, 0), message);
  }

  public Finding link(String path, String message) {
    return finding(LINK, new Place(path, 0, 0), message);
  }

  private Finding finding(Unit unit, Diagnostic d, Place place) {
    StringBuilder message = new StringBuilder(d.message());
    if (!d.path().isEmpty() && inTree(unit, d).isEmpty()) {
      message.append(" (in %s:%d)".formatted(file(unit, d), d.line()));
    }
    if (unit.hasDeviceCode() && !d.sides().isEmpty() && d.sides().size() <= targets) {
      message.append(" (for ").append(String.join(", ", d.sides())).append(")");
    }
    Optional<String> needs = newer.needed(d);
    if (needs.isPresent()) {
      message.append(
          ": requires HIP %s; the installed headers are %s".formatted(needs.get(), newer.have()));
    }
    for (Diagnostic note : d.related()) {
      if (note.path().isEmpty() && !note.message().isEmpty()) {
        message.append("; ").append(note.message());
      } else if (note.message().startsWith(EXPANDED)) {
        inTree(unit, note).ifPresent(p -> message.append(placed(note, p)));
      }
    }
    Stream.concat(
            d.related().stream().filter(n -> n.message().startsWith(CANDIDATE)).limit(CANDIDATES),
            oneSided(d).limit(CANDIDATES))
        .forEach(
            n ->
                message.append(
                    inTree(unit, n)
                        .map(p -> placed(n, p))
                        .orElseGet(
                            () ->
                                "; %s at %s:%d".formatted(n.message(), file(unit, n), n.line()))));
    return finding(needs.isPresent() ? NEEDS : ERROR, place, message.toString());
  }

  /** Returns the first note of each file about a function that the device or the host lacks. */
  private static Stream<Diagnostic> oneSided(Diagnostic error) {
    boolean declared = error.message().startsWith(HOST_FUNCTION);
    Set<String> files = new HashSet<>();
    return error.related().stream()
        .filter(n -> isOneSided(n.message(), declared) && files.add(n.path()));
  }

  private static boolean isOneSided(String note, boolean declared) {
    return declared
        ? note.contains(DECLARED)
        : note.contains(HOST_ONLY) || note.contains(DEVICE_ONLY);
  }

  /** Returns what a note says, and its place in the original. */
  private String placed(Diagnostic note, Place place) {
    Optional<Origin> origin = origins.at(place.path(), place.line());
    return "; %s at %s:%d"
        .formatted(
            note.message(),
            origin.map(Origin::path).orElse(place.path()),
            origin.map(Origin::line).orElse(place.line()));
  }

  /**
   * Returns the first location in the tree among the error, its notes and its includes.
   *
   * @param before location of the previous error
   */
  private Place place(Unit unit, Diagnostic d, Optional<Place> before) {
    Optional<Place> own = inTree(unit, d);
    if (own.isPresent()) {
      return own.get();
    }
    List<Diagnostic> requests =
        d.related().stream().filter(n -> n.message().endsWith(REQUESTED)).toList();
    Optional<Place> found = first(unit, requests);
    if (found.isEmpty() && requests.isEmpty()) {
      // The compiler prints where code was instantiated only with the first error in it.
      found = before;
    }
    return found
        .or(() -> first(unit, d.related().stream().filter(n -> !isInclude(n)).toList()))
        .or(() -> first(unit, d.related()))
        .orElse(new Place(unit.path(), 0, 0));
  }

  private static boolean isInclude(Diagnostic note) {
    return note.message().equals(DiagnosticParser.INCLUDED_HERE);
  }

  private Optional<Place> first(Unit unit, List<Diagnostic> notes) {
    return notes.stream().flatMap(n -> inTree(unit, n).stream()).findFirst();
  }

  private Optional<Place> inTree(Unit unit, Diagnostic d) {
    if (d.path().isEmpty()) {
      return Optional.empty();
    }
    Path file = file(unit, d);
    return file.startsWith(root)
        ? Optional.of(
            new Place(root.relativize(file).toString().replace('\\', '/'), d.line(), d.column()))
        : Optional.empty();
  }

  private Path file(Unit unit, Diagnostic d) {
    return toTree.apply(unit.directory().resolve(d.path()).normalize());
  }

  private Finding finding(String rule, Place place, String text) {
    String snippet = snippet(place);
    Optional<Origin> origin =
        place.line() == 0 ? Optional.empty() : origins.at(place.path(), place.line());
    String message = text + origin.map(o -> trace(place, o)).orElse("");
    String path = origin.map(Origin::path).orElse(place.path());
    int line = origin.map(Origin::line).orElse(place.line());
    // A column of an edited line has no meaning in the original line.
    boolean edited = origin.isPresent() && !origin.get().rules().isEmpty();
    int column = edited ? 1 : Math.max(1, place.column());
    String key = rule + "\n" + path + "\n" + text + "\n" + snippet.replaceAll("\\s+", "");
    int nth = occurrences.merge(key, 1, Integer::sum);
    var meta = catalog.require(rule);
    return new Finding(
        rule,
        meta.severity(),
        meta.severity() == Severity.ERROR ? Disposition.UNPORTED : Disposition.REVIEW,
        path,
        line,
        line == 0 ? 0 : column,
        line,
        line == 0 ? 0 : column + 1,
        message,
        meta.advice(),
        snippet,
        new TextsHash().add(key).add(Integer.toString(nth)).hex().substring(0, 16));
  }

  private static String trace(Place place, Origin origin) {
    String rules =
        origin.rules().isEmpty()
            ? "no rule edited this line"
            : "edited by " + String.join(", ", origin.rules());
    return " [ported: %s:%d:%d; %s]".formatted(place.path(), place.line(), place.column(), rules);
  }

  private String snippet(Place place) {
    if (place.line() == 0) {
      return "";
    }
    try {
      SourceFile file =
          new SourceFile(place.path(), Files.readAllBytes(root.resolve(place.path())));
      if (!file.encoding().isText() || place.line() > file.lines()) {
        return "";
      }
      String text = file.text(file.lineStart(place.line()), file.lineEnd(place.line())).strip();
      return text.length() > SNIPPET ? text.substring(0, SNIPPET) : text;
    } catch (IOException e) {
      return "";
    }
  }
}
