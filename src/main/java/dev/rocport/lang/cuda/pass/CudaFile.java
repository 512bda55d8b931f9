package dev.rocport.lang.cuda.pass;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.lang.cuda.condition.GuardChoice;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.LaunchMask;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.symbols.Declarations;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.lang.cuda.symbols.HostBodies;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.ptx.Statement;
import dev.rocport.lang.ptx.Translation;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.warp.WarpScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The state of one file during the passes. */
public final class CudaFile {
  public final SourceFile source;
  public final Tokens t;
  public final Changes changes;
  public final ProjectIndex project;
  public final PortOptions options;
  public final ApiTable api;
  public final Regions regions;
  private final Declarations.Names names;
  private final Set<String> own;

  /** Classes and namespaces that have something of a CUDA name, by that name. Mostly none. */
  private final Map<String, Set<String>> scopes = new HashMap<>();

  private @Nullable SyntaxTree tree;
  private boolean parsed;
  private int asked = -1;
  private @Nullable EnclosingFunction deviceFunction;
  private final Map<String, Boolean> holding = new HashMap<>();

  /** What is known about operands of asm statements, by constraint and name. */
  public final Map<String, Statement.Known> operandTypes = new HashMap<>();

  /** The translations of asm statements, by their first token; and of those that share a carry. */
  public final Map<Integer, Translation> translations = new HashMap<>();

  public final Map<Integer, Translation> carried = new HashMap<>();

  /** Whether asm statements read carries of others that are not adjacent; null until asked. */
  public @Nullable Boolean looseCarries;

  /** A fragment: nothing is added around it. */
  public final boolean snippet;

  /** Set for a kernel in a string literal: what is written stays in one line. */
  public boolean inString;

  /** Set by the passes: something here needs the HIP runtime header. */
  public boolean needsRuntime;

  /** Set by the guard pass: the conditionals that it rewrote. */
  public final List<GuardChoice> guards = new ArrayList<>();

  /**
   * Set by the passes: headers of {@code hip-runtime/include/rocport} that the file must include.
   */
  public final SortedSet<String> shims = new TreeSet<>();

  /** Set by the passes: tokens that an edit removes, which other passes skip. */
  public final Set<Integer> dropped = new HashSet<>();

  public CudaFile(
      SourceFile source,
      Changes changes,
      ProjectIndex project,
      PortOptions options,
      ApiTable api,
      boolean snippet) {
    this(Lexer.lex(source), changes, project, options, api, snippet);
  }

  /** Creates the state of a file whose tokens are known. */
  public CudaFile(
      Tokens t,
      Changes changes,
      ProjectIndex project,
      PortOptions options,
      ApiTable api,
      boolean snippet) {
    this.source = t.file();
    this.t = t;
    this.changes = changes;
    this.project = project;
    this.options = options;
    this.api = api;
    this.snippet = snippet;
    this.regions = Regions.of(t);
    this.names = Declarations.of(t, api, i -> false);
    this.own = project.ownNames(source.path());
    for (String name : own) {
      int colon = name.indexOf("::");
      if (colon >= 0) {
        scopes
            .computeIfAbsent(name.substring(colon + 2), k -> new HashSet<>())
            .add(name.substring(0, colon));
      }
    }
  }

  /** Lower-case extension without the dot; empty if there is none. */
  public String extension() {
    String path = source.path();
    int dot = path.lastIndexOf('.');
    return dot < path.lastIndexOf('/') + 1 ? "" : path.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  /** True for files that nvcc compiles as CUDA or that only CUDA files include. */
  public boolean isCudaSource() {
    return switch (extension()) {
      case "cu", "cuh", "tcu", "hip" -> true;
      default -> project.commands().isCuda(source.path());
    };
  }

  /** True for CUDA sources, and for other files that include headers of CUDA. */
  public boolean usesCuda() {
    return isCudaSource()
        || t.directives().stream()
            .filter(Directive::isInclude)
            .anyMatch(d -> api.header(t.included(d)) != null);
  }

  /** True for these, and for headers, which they may include. */
  public boolean mayBelongToCuda() {
    return usesCuda() || !ProjectIndex.isUnit(source.path());
  }

  /** True for plain C, where C++ constructs must not be added. */
  public boolean isC() {
    return extension().equals("c");
  }

  /** True if this file sees a definition of the name in the project: then it is not CUDA's. */
  public boolean isOwn(String name) {
    return own.contains(name) || names.local().contains(name) || project.declaresUnknown(name);
  }

  /**
   * The same for a name at a place: inside a class or namespace of the project that has this name
   * too, it means that one. The tree determines the scopes of the place.
   */
  public boolean isOwn(String name, int i) {
    Set<String> having = scopes.getOrDefault(name, Set.of());
    // Only a variable at file scope has the name with the global scope in front.
    boolean global = t.isPair(i - 1, ':') && !Scopes.isMember(t, i);
    if (global
        && !own.contains(name)
        && !names.global().contains(name)
        && !project.declaresUnknown(name)) {
      return false;
    }
    return isOwn(name) || (!having.isEmpty() && scopesAt(i).stream().anyMatch(having::contains));
  }

  /** True if this file declares the name as CUDA does, without a definition. */
  public boolean repeats(String name) {
    return names.repeats(name);
  }

  /** What is known about a name in this file. */
  public @Nullable ApiName nameOf(ApiTable.Entry e) {
    ApiName special = e.special;
    if (special != null && special.isSupported()) {
      boolean holds =
          holding.computeIfAbsent(special.family(), family -> t.mentions(api.where(family)));
      return holds ? special : e.name;
    }
    return e.name;
  }

  private Set<String> scopesAt(int i) {
    SyntaxTree at = tree();
    return at == null ? Set.of() : at.scopesAt(t.start(i));
  }

  /** True inside a function for the device. Questions in the order of the file are cheap. */
  public boolean isInDeviceFunction(int i) {
    return deviceFunction(i) != null;
  }

  /** True inside a function that is compiled for the device only. Asked in order, this is cheap. */
  public boolean isForDeviceOnly(int i) {
    EnclosingFunction function = deviceFunction(i);
    return function != null && !function.host();
  }

  /** The function for the device around a token, or null. Asked in order, this is cheap. */
  public @Nullable EnclosingFunction deviceFunction(int i) {
    boolean same = asked >= 0 && asked <= i;
    for (int k = asked; same && k < i; k++) {
      same = !t.is(k, '{') && !t.is(k, '}');
    }
    if (!same) {
      deviceFunction = EnclosingFunction.of(t, i);
    }
    asked = i;
    return deviceFunction;
  }

  /** The syntax tree of the file, built at the first request; null if there is none. */
  public @Nullable SyntaxTree tree() {
    if (!parsed && project.looksAtTrees()) {
      parsed = true;
      byte[] masked = LaunchMask.mask(t);
      HostBodies.blank(t, masked);
      tree = SyntaxTree.parse(source.path(), masked);
    }
    return tree;
  }

  /**
   * The warp facts from the first scan: of the file as it is now, since it may change between the
   * two looks that are taken at it.
   */
  public Optional<WarpScan> scanned() {
    WarpScan seen = snippet ? null : project.warpScan(source.path());
    return Optional.ofNullable(seen).filter(s -> s.content() == Arrays.hashCode(source.bytes()));
  }

  /**
   * True if the identifier at {@code i} names a member or is in another scope than the global one.
   */
  public boolean isQualified(int i) {
    return Scopes.isMember(t, i);
  }

  /** Reports tokens without a counterpart, as {@link #tell} does. */
  public void unported(String rule, int first, int last, String message, String advice) {
    tell(rule, Severity.ERROR, Disposition.UNPORTED, t.start(first), t.end(last), message, advice);
  }

  /** Tells of the bytes from {@code start} to {@code end}: a note where HIP never compiles them. */
  public void tell(
      String rule,
      Severity severity,
      Disposition disposition,
      int start,
      int end,
      String message,
      String advice) {
    if (regions.isDead(t.at(start))) {
      changes.finding(rule, Severity.NOTE, Disposition.REVIEW, start, end, message, advice);
    } else {
      changes.finding(rule, severity, disposition, start, end, message, advice);
    }
  }
}
