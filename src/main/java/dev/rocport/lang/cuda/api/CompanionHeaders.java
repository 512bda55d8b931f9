package dev.rocport.lang.cuda.api;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.rocport.io.TsvTable;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Headers that CUDA headers include and the HIP headers in their place do not: {@code
 * cuda/companions.tsv}.
 */
public final class CompanionHeaders {
  /**
   * @param includes the CUDA headers that include it; {@code folder/*} for all in a folder
   * @param header the header that they include
   * @param names what it declares, with {@code ::} if only the qualified name counts
   */
  private record Companion(List<String> includes, String header, List<String> names) {
    boolean comesWith(String path) {
      return includes.contains(path) || folders().anyMatch(path::startsWith);
    }

    /** Returns the folders all of whose headers include it, with a slash at the end. */
    Stream<String> folders() {
      return includes.stream()
          .filter(i -> i.endsWith("/*"))
          .map(i -> i.substring(0, i.length() - 1));
    }
  }

  private static final List<Companion> ALL =
      BuiltInText.table("cuda/companions.tsv", "includes\theader\tnames").rows().stream()
          .map(CompanionHeaders::companion)
          .toList();

  /** All headers and folders that companions come with. */
  private static final Set<String> INCLUDES =
      ALL.stream()
          .map(Companion::includes)
          .flatMap(Collection::stream)
          .collect(toUnmodifiableSet());

  private static final List<String> FOLDERS =
      ALL.stream().flatMap(Companion::folders).distinct().toList();

  private static final List<String> NAMES =
      ALL.stream().map(Companion::names).flatMap(Collection::stream).distinct().sorted().toList();

  private final CudaFile f;
  private final Set<String> there = new HashSet<>();
  private final Map<String, Boolean> mentioned = new HashMap<>();

  CompanionHeaders(CudaFile f) {
    this.f = f;
    f.t.directives().stream().filter(Directive::isInclude).forEach(this::note);
  }

  /**
   * The names of such headers that a file mentions, and for which it includes no header itself that
   * comes with them, sorted.
   */
  public static List<String> namesIn(Tokens t) {
    List<String> included =
        t.directives().stream().filter(Directive::isInclude).map(t::included).toList();
    return NAMES.stream().filter(n -> mentions(t, n) && !comesWith(included, n)).toList();
  }

  private static boolean comesWith(List<String> included, String name) {
    return ALL.stream()
        .anyMatch(c -> c.names().contains(name) && included.stream().anyMatch(c::comesWith));
  }

  private static Companion companion(TsvTable.Row r) {
    return new Companion(List.of(r.cell(0).split(" ")), r.cell(1), List.of(r.cell(2).split(" ")));
  }

  private void note(Directive d) {
    String path = f.t.included(d);
    if (!path.isEmpty()) {
      there.add(ported(path));
    }
  }

  /** The ported headers to include after the header of this path; each is returned once. */
  List<String> of(String path) {
    if (!INCLUDES.contains(path) && FOLDERS.stream().noneMatch(path::startsWith)) {
      return List.of();
    }
    List<String> headers = new ArrayList<>();
    for (Companion c : ALL) {
      if (c.comesWith(path) && c.names().stream().anyMatch(this::isMentioned)) {
        String header = ported(c.header());
        if (there.add(header)) {
          headers.add(header);
        }
      }
    }
    return headers;
  }

  /** Whether only other files of the translation units with this file use a companion's names. */
  boolean isForOthers(String header) {
    return ALL.stream()
        .filter(c -> ported(c.header()).equals(header))
        .flatMap(c -> c.names().stream())
        .noneMatch(n -> mentions(f.t, n));
  }

  private boolean isMentioned(String name) {
    return mentioned.computeIfAbsent(
        name, n -> mentions(f.t, n) || f.project.companions(f.source.path()).contains(n));
  }

  private static boolean mentions(Tokens t, String name) {
    int colon = name.indexOf("::");
    if (colon < 0) {
      return t.mentions(name);
    }
    String scope = name.substring(0, colon);
    String last = name.substring(colon + 2);
    return t.mentions(scope)
        && t.mentions(last)
        && IntStream.range(0, t.count() - 2)
            .anyMatch(i -> t.is(i, scope) && t.isPair(i + 1, ':') && t.is(i + 2, last));
  }

  private String ported(String path) {
    ApiName row = f.api.header(path);
    return row == null ? path : f.api.target(row);
  }
}
