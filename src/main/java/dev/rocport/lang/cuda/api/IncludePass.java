package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Versions;
import dev.rocport.core.source.Encoding;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.IncludeGuard;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.Shims;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.ApiName;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Replaces CUDA headers with HIP headers, and adds the runtime header to files that rely on the one
 * that nvcc includes implicitly.
 */
public final class IncludePass {
  static final String RULE = "INCLUDE-HEADER";
  static final String RUNTIME = "INCLUDE-RUNTIME";
  static final String SCOPE = "INCLUDE-SCOPE";
  static final String SAMPLES = "API-SAMPLES";
  private static final String RUNTIME_HEADER = "hip/hip_runtime.h";

  private static final String HAS_INCLUDE = "__has_include";

  /** A header of HIP that compilers for the host alone reject. */
  private static final String DEVICE_HEADER = "hip/hip_bf16.h";

  private static final String GL_HEADER = "hip/hip_gl_interop.h";

  /** Length of the byte order mark of UTF-8. */
  private static final int BYTE_ORDER_MARK = 3;

  /** A path to a header in a copy of CUB; group 1 is its path in the library. */
  private static final Pattern CUB =
      Pattern.compile(
          ".*/(cub/(?:cub|util_\\w+"
              + "|(?:agent|block|detail|device|grid|host|iterator|thread|warp)/\\w+)\\.cuh)");

  /** The same for a copy of the repository of Thrust. */
  private static final Pattern THRUST = Pattern.compile(".*/thrust/(thrust/.+)");

  private final CudaFile f;
  private final Tokens t;
  private final Set<String> included = new HashSet<>();
  private final CompanionHeaders companions;
  private final IncludeScopes scopes;

  /** The first token that defines a macro named as a parameter of a template may be. */
  private final int macro;

  /** HIP headers that move to the start of the file. */
  private final Set<String> hoisted = new LinkedHashSet<>();

  /** Offset after the line that includes the runtime outside all conditions; 0 if none does. */
  private int runtimeLine;

  /** The runtime header is included already, maybe under a condition. */
  private boolean runtimeSomewhere;

  private IncludePass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.companions = new CompanionHeaders(f);
    this.scopes = new IncludeScopes(f.t);
    this.macro =
        t.directives().stream()
            .filter(this::isLikeParameter)
            .mapToInt(Directive::first)
            .findFirst()
            .orElse(Integer.MAX_VALUE);
  }

  /** Runs last: the other passes say whether the runtime header is needed. */
  public static void run(CudaFile f) {
    IncludePass pass = new IncludePass(f);
    f.t.directives().stream().filter(Directive::isInclude).forEach(pass::include);
    f.t.directives().stream().filter(d -> d.name().equals("define")).forEach(pass::define);
    if (f.t.mentions(HAS_INCLUDE)) {
      f.regions.chains().forEach(pass::conditions);
    }
    if (!f.snippet) {
      pass.addHeaders();
    }
  }

  /**
   * {@code #if __has_include(<nvml.h>)} asks for the header that replaces the one it names if its
   * branch includes that one. A chain that mentions HIP has code of its own for it.
   */
  private void conditions(Regions.Chain chain) {
    boolean hip =
        IntStream.range(chain.from(), chain.to())
            .anyMatch(i -> t.text(i).toLowerCase(Locale.ROOT).contains("hip"));
    if (hip || !f.changes.allows(RULE)) {
      return;
    }
    for (Regions.Branch branch : chain.branches()) {
      Directive d = branch.directive();
      for (int i = d.body(); d.isCondition() && i + 2 < d.last(); i++) {
        if (t.is(i, HAS_INCLUDE) && t.is(i + 1, '(') && t.match(i + 1) > i) {
          condition(branch, i + 2, t.match(i + 1));
        }
      }
    }
  }

  private void condition(Regions.Branch branch, int from, int close) {
    int start = t.start(from);
    int end = t.start(close);
    String text = f.source.text(start, end).strip();
    if (!text.startsWith("<") || !text.endsWith(">")) {
      return;
    }
    String path = text.substring(1, text.length() - 1);
    ApiName row = f.api.header(path);
    boolean included =
        t.directives().stream()
            .filter(i -> i.isInclude() && i.first() >= branch.from() && i.first() < branch.to())
            .anyMatch(i -> t.included(i).equals(path));
    if (row == null || !included || isOwn(branch.directive(), path, true, row)) {
      return;
    }
    String target = f.api.target(row);
    if (target.startsWith("rocport/")) {
      f.changes.needsShim(target.substring("rocport/".length()));
      String own = '"' + Shims.relative(f.source.path(), target) + '"';
      f.changes.edit(Edit.replace(start, end, own, RULE));
    } else if (!target.isEmpty() && !target.equals(path)) {
      f.changes.edit(Edit.replace(start, end, '<' + target + '>', RULE));
    }
  }

  /** {@code #define CUDA_STD_HEADER(header) <cuda/std/header>} names headers of C++. */
  private void define(Directive d) {
    for (int i = d.body(); i + 6 < d.last(); i++) {
      if (t.is(i, '<')
          && t.is(i + 1, "cuda")
          && t.is(i + 2, '/')
          && t.is(i + 3, "std")
          && t.is(i + 4, '/')
          && t.isIdentifier(i + 5)
          && t.is(i + 6, '>')
          && f.changes.allows(RULE)) {
        f.changes.edit(Edit.delete(t.start(i + 1), t.start(i + 5), RULE));
      }
    }
  }

  private void include(Directive d) {
    int i = d.body();
    boolean angle = t.kind(i) == Tokens.HEADER;
    if (!angle && t.kind(i) != Tokens.STRING) {
      return; // a macro names the header
    }
    String path = t.included(d);
    String library = inCopy(path);
    if (!library.isEmpty()) {
      path = library;
      angle = true;
    }
    ApiName known = f.api.header(path);
    ApiName row = known == null || isOwn(d, path, angle, known) ? null : known;
    boolean top = f.regions.depth(d.first()) <= (guardDepth() ? 1 : 0);
    companions(d, path);
    runtimeSomewhere |= path.equals(RUNTIME_HEADER);
    if (row == null) {
      noteRuntime(d, path, top);
      if (top) {
        included.add(path);
      }
      if (!library.isEmpty() && f.changes.allows(RULE)) {
        f.changes.edit(Edit.replace(t.start(i), t.end(i), "<" + library + ">", RULE));
      }
      return;
    }
    String target = f.api.target(row);
    if (target.isEmpty()) {
      f.tell(
          row.family(),
          Severity.ERROR,
          Disposition.UNPORTED,
          d.start(),
          d.end(),
          "header " + path + " has no counterpart",
          row.advice());
      return;
    }
    if (!row.needs().isEmpty() && Versions.compare(row.needs(), f.options.hip()) > 0) {
      f.tell(
          row.family(),
          Severity.WARNING,
          Disposition.REVIEW,
          d.start(),
          d.end(),
          "header " + path + " becomes " + target + ", which needs HIP " + row.needs(),
          row.advice());
    } else if (!row.advice().isEmpty() && !f.regions.isDead(d.first())) {
      f.tell(
          row.family(),
          Severity.NOTE,
          Disposition.PORTED,
          d.start(),
          d.end(),
          "header " + path + " becomes " + target,
          row.advice());
    }
    runtimeSomewhere |= target.equals(RUNTIME_HEADER);
    noteRuntime(d, target, top);
    if (target.startsWith("rocport/")) {
      f.changes.needsShim(target.substring("rocport/".length()));
      target = Shims.relative(f.source.path(), target);
      angle = false;
    }
    if (!f.changes.allows(RULE)) {
      return;
    }
    boolean hoist = isMisplaced(d, target, top);
    // Two CUDA headers may become one: the first include stays.
    if ((top && !included.add(target)) || hoist) {
      removeLine(d);
      if (hoist) {
        if (target.equals(GL_HEADER) && included.add(RUNTIME_HEADER)) {
          hoisted.add(RUNTIME_HEADER);
        }
        hoisted.add(target);
      }
      return;
    }
    if (target.equals(t.included(d))) {
      return;
    }
    if (target.equals(GL_HEADER) && top && runtimeLine == 0) {
      // Unlike that of CUDA, it uses the runtime without including it.
      included.add(RUNTIME_HEADER);
      if (f.isCudaSource()) {
        hoisted.add(RUNTIME_HEADER);
      } else {
        String line = "#include <" + RUNTIME_HEADER + ">" + f.source.newline();
        f.changes.edit(Edit.before(f.source.lineStart(f.source.line(d.start())), line, RULE));
        noteRuntime(d, RUNTIME_HEADER, true);
      }
    }
    char open = angle ? '<' : '"';
    char close = angle ? '>' : '"';
    f.changes.edit(Edit.replace(t.start(i), t.end(i), open + target + close, RULE));
  }

  /** Includes what comes with a CUDA header, but not with the HIP header that replaces it. */
  private void companions(Directive d, String path) {
    if (f.snippet || f.regions.isDead(d.first()) || !f.changes.allows(RULE)) {
      return;
    }
    String lines = companions.of(path).stream().map(this::companion).collect(Collectors.joining());
    if (!lines.isEmpty()) {
      int at = nextLine(d.end());
      boolean open = at == f.source.length() && f.source.bytes()[at - 1] != '\n';
      f.changes.edit(Edit.before(at, (open ? f.source.newline() : "") + lines, RULE));
    }
  }

  private String companion(String header) {
    String nl = f.source.newline();
    String line = "#include <" + header + ">" + nl;
    return header.equals(DEVICE_HEADER) && !f.isCudaSource() && companions.isForOthers(header)
        ? "#if defined(__HIPCC__)" + nl + line + "#endif" + nl
        : line;
  }

  /**
   * True for a HIP header that must move to the start of the file, where nvcc includes its own
   * runtime header: it has templates, so it can be neither in {@code extern "C"} nor after a macro
   * named as one of their parameters may be. Where that is not sure, a finding says so.
   */
  private boolean isMisplaced(Directive d, String target, boolean top) {
    if (f.snippet || f.isC() || !target.startsWith("hip/")) {
      return false;
    }
    IncludeScope scope = scopes.around(d);
    boolean implicit = f.isCudaSource() && target.equals(RUNTIME_HEADER);
    if (scope == IncludeScope.NONE || (top && (scope == IncludeScope.LINKAGE || implicit))) {
      return scope != IncludeScope.NONE || (top && f.isCudaSource() && macro < d.first());
    }
    f.changes.finding(
        SCOPE,
        Disposition.UNPORTED,
        d.start(),
        d.end(),
        target + " is included in " + scope.text() + ", but contains C++ templates and functions");
    return false;
  }

  /** True if a directive defines a macro with a name as parameters of templates have. */
  private boolean isLikeParameter(Directive d) {
    String name = d.name().equals("define") && d.body() < d.last() ? t.text(d.body()) : "";
    return !name.isEmpty() && (name.length() <= 2 || Character.isLowerCase(name.charAt(0)));
  }

  private void noteRuntime(Directive d, String path, boolean top) {
    if (top && runtimeLine == 0 && path.equals(RUNTIME_HEADER)) {
      runtimeLine = nextLine(d.end());
    }
  }

  private void removeLine(Directive d) {
    int line = f.source.line(d.start());
    int from = f.source.lineStart(line);
    int lastLine = f.source.line(Math.max(d.start(), d.end() - 1));
    int to =
        lastLine < f.source.lines() ? f.source.lineStart(lastLine + 1) : f.source.lineEnd(lastLine);
    boolean alone =
        f.source.text(from, d.start()).isBlank()
            && f.source.text(t.end(d.last() - 1), f.source.lineEnd(lastLine)).isBlank();
    if (alone) {
      f.changes.edit(Edit.delete(from, to, RULE));
    } else {
      f.changes.edit(Edit.delete(d.start(), t.end(d.last() - 1), RULE));
    }
  }

  /**
   * Returns the header of a library whose copy a path leads to, such as {@code
   * ../third_party/thrust/thrust/sort.h}; empty for other paths. Copies are not among the files of
   * the project; a path from the root of the file system can lead anywhere.
   */
  private String inCopy(String path) {
    for (Pattern library : List.of(CUB, THRUST)) {
      Matcher copy = library.matcher(path);
      if (copy.matches()
          && !path.startsWith("/")
          && f.project.header(f.source.path(), path) == ProjectIndex.Own.NO) {
        return copy.group(1);
      }
    }
    return "";
  }

  /** True if the path means a file of the project, not the CUDA header of that name. */
  private boolean isOwn(Directive d, String path, boolean angle, ApiName known) {
    return switch (f.project.header(f.source.path(), path)) {
      case NO -> false;
      case YES -> !(angle && isBesideOnly(path));
      case ELSEWHERE -> {
        if (known.family().equals(SAMPLES)) {
          yield true; // the toolkit has it only in a folder that no compiler searches by itself
        }
        boolean mapped = !f.api.target(known).isEmpty();
        if (mapped && !angle) {
          f.tell(
              RULE,
              Severity.WARNING,
              Disposition.REVIEW,
              d.start(),
              d.end(),
              path
                  + " is left unchanged, because another folder of the tree has a file with this"
                  + " name",
              "If the include refers to the CUDA header, write " + f.api.target(known) + ".");
        }
        yield !mapped || !angle;
      }
    };
  }

  /**
   * Whether a name without a folder does not lead to the file beside this one: this file includes
   * others of its own folder by a longer path, so the folder is not one that the compiler searches.
   */
  private boolean isBesideOnly(String path) {
    String folder = "/" + f.source.path().substring(0, f.source.path().lastIndexOf('/') + 1);
    return path.indexOf('/') < 0
        && t.directives().stream()
            .filter(Directive::isInclude)
            .map(t::included)
            .filter(p -> p.indexOf('/') > 0 && p.charAt(0) != '.')
            .anyMatch(p -> folder.endsWith("/" + p.substring(0, p.lastIndexOf('/') + 1)));
  }

  /** Adds what the ported text needs and does not include: the runtime, and rocport headers. */
  private void addHeaders() {
    String nl = f.source.newline();
    StringBuilder text = new StringBuilder();
    hoisted.forEach(header -> text.append("#include <").append(header).append('>').append(nl));
    boolean runtime =
        f.needsRuntime
            && !included.contains(RUNTIME_HEADER)
            && (f.isCudaSource() || !runtimeSomewhere) // a header may have reasons for a condition
            && f.changes.allows(RUNTIME)
            && (!f.isC() || usesApi());
    if (runtime) {
      String line = "#include <" + RUNTIME_HEADER + ">" + nl;
      // What only the implicit nvcc include provides is provided for hipcc only, so that a plain
      // host
      // compile of the same header goes on to need no HIP.
      text.append(
          f.isCudaSource() || usesApi()
              ? line
              : "#if defined(__HIPCC__)" + nl + line + "#endif" + nl);
    }
    for (String header : f.shims) {
      f.changes.needsShim(header);
      String path = Shims.relative(f.source.path(), "rocport/" + header);
      if (!included.contains(path)) {
        text.append("#include \"").append(path).append('"').append(nl);
      }
    }
    if (text.isEmpty()) {
      return;
    }
    boolean first = runtime || runtimeLine == 0 || !hoisted.isEmpty();
    int at = first ? insertionPoint() : runtimeLine;
    boolean midLine = at > 0 && at == f.source.length() && f.source.bytes()[at - 1] != '\n';
    f.changes.edit(Edit.before(at, (midLine ? nl : "") + text, RUNTIME));
  }

  private boolean usesApi() {
    return f.changes.counts().keySet().stream().anyMatch(r -> r.startsWith("API-"));
  }

  private boolean guardDepth() {
    return IncludeGuard.find(t) >= 0;
  }

  /** After the include guard, {@code #pragma once}, or the first comment. */
  private int insertionPoint() {
    int guard = IncludeGuard.find(t);
    if (guard >= 0) {
      return nextLine(t.directives().get(guard).end());
    }
    for (Directive d : t.directives()) {
      if (d.name().equals("pragma")
          && t.is(d.body(), "once")
          && f.regions.depth(d.first()) == 0) { // in a condition it says nothing about the file
        return nextLine(d.end());
      }
    }
    // Before the first token, after a leading comment and a byte order mark.
    int first = t.count() > 0 ? t.start(0) : f.source.length();
    int start = f.source.lineStart(f.source.line(first));
    return start == 0 && f.source.encoding() == Encoding.UTF8_BOM ? BYTE_ORDER_MARK : start;
  }

  private int nextLine(int offset) {
    int line = f.source.line(Math.max(0, offset - 1));
    return line < f.source.lines() ? f.source.lineStart(line + 1) : f.source.length();
  }
}
