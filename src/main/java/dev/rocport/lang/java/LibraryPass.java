package dev.rocport.lang.java;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.ArrayInitializerExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.MemberValuePair;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.NormalAnnotationExpr;
import dev.rocport.commandline.NvccWords;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.PortOptions.Libs;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports names of NVIDIA libraries and CUDA paths. */
final class LibraryPass {
  static final String RULE = "JAVA-LIBRARY";
  static final String PATH = "JAVA-PATH";

  private static final Pattern FILE =
      Pattern.compile("(?<folder>(?:.*/)?)lib(?<name>[A-Za-z][A-Za-z-]*)\\.so(?:\\.[0-9]+)*");
  private static final Pattern HEADER = Pattern.compile("<?([A-Za-z0-9_/.]+\\.h(?:pp)?)>?");
  private static final Pattern WINDOWS =
      Pattern.compile("(?:.*[\\\\/])?(nvcuda|(?:cu|nv)[a-zA-Z]+64_[0-9_]+)(\\.dll)?");
  private static final Pattern HOME = Pattern.compile("/usr/local/cuda(-[0-9.]+)?(/.*)?");
  private static final Set<String> VARIABLES = Set.of("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT");
  private static final Set<String> HIP_OR_ROC =
      Set.of("hipblas", "hipfft", "hiprand", "hipsparse", "hipsolver");

  private final JavaWork w;

  /** Expressions that name a library; nodes are equal where they say the same. */
  private final Set<Node> names = Collections.newSetFromMap(new IdentityHashMap<>());

  LibraryPass(JavaWork w) {
    this.w = w;
  }

  void run() {
    for (MethodCallExpr c : w.tree().unit().findAll(MethodCallExpr.class)) {
      if (loads(c)) {
        c.getArguments().forEach(this::named);
      }
    }
    for (NormalAnnotationExpr a : w.tree().unit().findAll(NormalAnnotationExpr.class)) {
      if (a.getNameAsString().endsWith("Platform")) {
        a.getPairs().forEach(this::platform);
      }
    }
    for (JavaString s : w.strings()) {
      if (s.isLiteral() && !w.isTaken(s)) {
        string(s);
      } else if (!w.isTaken(s) && HOME.matcher(s.said().replace('\ufffc', '_')).matches()) {
        path(s);
      }
    }
  }

  /** What JavaCPP's {@code @Platform} specifies to link with and to include. */
  private void platform(MemberValuePair pair) {
    List<Expression> values =
        pair.getValue() instanceof ArrayInitializerExpr a
            ? a.getValues()
            : List.of(pair.getValue());
    switch (pair.getNameAsString()) {
      case "link", "preload" -> names.addAll(values);
      case "include", "cinclude" -> values.forEach(v -> w.string(v).ifPresent(this::header));
      default -> {}
    }
  }

  private void header(JavaString s) {
    Matcher m = HEADER.matcher(s.said());
    ApiName header = m.matches() ? w.cuda().header(m.group(1)) : null;
    if (header == null || !w.take(s)) {
      return;
    }
    String target = w.cuda().target(header);
    if (target.isEmpty()) {
      w.error(RULE, s.start(), s.end(), m.group(1) + " has no counterpart", header.advice());
    } else {
      w.rewrite(s, s.said().replace(m.group(1), target), RULE);
    }
  }

  /** Calls that take the name of a library without {@code lib} and ending. */
  private static boolean loads(MethodCallExpr c) {
    String scope = c.getScope().map(Node::toString).orElse("");
    return switch (c.getNameAsString()) {
      case "loadLibrary", "mapLibraryName" -> true;
      case "load" -> scope.endsWith("Native") || scope.contains("LibraryLoader");
      case "register" -> scope.endsWith("Native");
      case "getInstance" -> scope.endsWith("NativeLibrary");
      case "libraryLookup" -> true;
      default -> false;
    };
  }

  /** The argument, or what the variable is set to that it names. */
  private void named(Expression argument) {
    if (argument instanceof NameExpr n) {
      w.tree().unit().findAll(VariableDeclarator.class).stream()
          .filter(v -> v.getNameAsString().equals(n.getNameAsString()))
          .forEach(v -> v.getInitializer().ifPresent(names::add));
    } else {
      names.add(argument);
    }
  }

  private void string(JavaString s) {
    String said = s.said();
    Matcher file = FILE.matcher(said);
    if (file.matches()) {
      file(s, file.group("folder"), file.group("name"));
    } else if (WINDOWS.matcher(said).matches()) {
      w.take(s);
      w.warn(RULE, s.start(), s.end(), said + ": a CUDA library for Windows");
    } else if (names.contains(s.node())) {
      bare(s);
    } else if (HOME.matcher(said).matches() || VARIABLES.contains(said)) {
      path(s);
    }
  }

  private void file(JavaString s, String folder, String name) {
    Optional<NvccWords.Change> change = change(name);
    if (change.isEmpty() || !w.take(s)) {
      return;
    }
    String library = library(change.get());
    if (library.isEmpty()) {
      none(s, name, change.get());
    } else if (!folder.isEmpty() && !folder.startsWith("/")) {
      w.warn(RULE, s.start(), s.end(), "the counterpart of this library is lib" + library + ".so");
    } else {
      String to = folder.isEmpty() ? "" : "/opt/rocm/lib/";
      w.rewrite(s, to + "lib" + library + ".so", RULE);
    }
  }

  private void bare(JavaString s) {
    Optional<NvccWords.Change> change = change(s.said());
    if (change.isEmpty() || !w.take(s)) {
      return;
    }
    String library = library(change.get());
    if (library.isEmpty()) {
      none(s, s.said(), change.get());
    } else {
      w.rewrite(s, library, RULE);
    }
  }

  private void none(JavaString s, String name, NvccWords.Change change) {
    String why = change.problem().isEmpty() ? "no ROCm library replaces it" : change.problem();
    w.error(RULE, s.start(), s.end(), "lib" + name + ".so: " + why);
  }

  private void path(JavaString s) {
    if (w.take(s)) {
      w.warn(PATH, s.start(), s.end(), s.said().replace('\ufffc', '_') + ": a CUDA path");
    }
  }

  static Optional<NvccWords.Change> change(String library) {
    List<NvccWords.Change> changes = NvccWords.changes(List.of("-l" + library));
    return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getFirst());
  }

  /** The name without {@code lib}; empty if there is none. */
  private String library(NvccWords.Change change) {
    if (change.words().size() != 1) {
      return "";
    }
    String hip = change.words().getFirst().substring(2);
    return w.options().libs() == Libs.ROC && HIP_OR_ROC.contains(hip)
        ? "roc" + hip.substring(3)
        : hip;
  }
}
