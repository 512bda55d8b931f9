package dev.rocport.build.check;

import dev.rocport.build.run.BuildFindings;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The findings of a port that can explain an error of the compiler.
 *
 * <p>A finding explains the errors in its lines, also where a macro has them, and every error that
 * a name is missing which the finding mentions, or that a static assertion with this name fails. A
 * finding about a class with a vector of HIP as its base explains what the compiler says about such
 * vectors in that file. A finding about a copy of a library explains the errors in its files, and
 * one about an option of a build explains that the compiler does not know it. A finding about a
 * namespace around CUB explains that CUB is not in it. Notes explain nothing: they describe code
 * that compiles.
 */
final class Explanations {
  private static final Pattern MISSING =
      Pattern.compile(
          "(?:use of undeclared identifier|unknown type name"
              + "|call to undeclared (?:library )?function"
              + "|no (?:member|type|template|matching function for call to)(?: named)?"
              + "|out-of-line definition of|explicit instantiation of) '([^']+)'.*"
              + "|'([^']+)' file not found");

  private static final Pattern ASSERTION =
      Pattern.compile("static assertion failed due to requirement '(.+?)'(?::.*)?");

  /** A base of a class in its first line. */
  private static final Pattern CLASS_BASE =
      Pattern.compile(
          "(?:[^:]:|,)\\s*(?:(?:public|protected|private|virtual)\\s+)*(?:\\w+\\s*::\\s*)*(\\w+)");

  /** A name in prose has a capital letter, a digit or an underscore after its first letter. */
  private static final Pattern NAME = Pattern.compile("\\b\\w+(?:/\\w+)*\\.(?:h|hpp|cuh)\\b|\\w+");

  private static final Pattern NOT_A_WORD = Pattern.compile(".+[A-Z0-9_./].*|.+_.*");

  /**
   * The place in the definition of a macro where an error is. If the name of the macro follows the
   * end of a line in another macro, the message ends in the name, so a quote is missing.
   */
  private static final Pattern EXPANDED =
      Pattern.compile(BuildFindings.EXPANDED + "'[^';]*?'? at ([^;]+?:\\d+)");

  /** Its message begins with the folders of a copy of a library. */
  private static final String COPY = "TREE-COPY";

  /** Its message names the namespace that CUB is not in. */
  private static final String CUB_NAMESPACE = "CUB-NAMESPACE";

  private static final Pattern CUB = Pattern.compile("(\\w+)::cub\\b");

  private static final String VECTOR_BASE = "VEC-OPERATOR-BASE";

  /** Its message begins with the operator and its type. */
  private static final String VECTOR_OPERATOR = "VEC-OPERATOR-MEANING";

  private static final Pattern MEANING =
      Pattern.compile("(operator\\S+) on (?:cu(Float|Double)?Complex|(\\w+)).*");

  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "use of overloaded operator '([^']+)' is ambiguous"
              + " .*?HIP_vector_type<([a-z ]+), (\\d)>.*");

  /** What the compiler says, without a line, about an option that it does not have. */
  private static final Pattern UNKNOWN_OPTION = Pattern.compile("unknown argument: '(-[^']+)'.*");

  /** A message about an option of a build begins with it. */
  private static final Pattern OPTION = Pattern.compile("(-[\\w-]+)[:=, ].*");

  private final Set<String> lines = new HashSet<>();
  private final Set<String> names = new HashSet<>();

  /** The first finding outside the tree that mentions a name. */
  private final Map<String, Finding> outside = new HashMap<>();

  /** Operators with a meaning of the project, such as {@code operator* float2}. */
  private final Set<String> operators = new HashSet<>();

  /** Options of builds that findings are about. */
  private final Set<String> options = new HashSet<>();

  /** Namespaces of projects in which CUB is and hipCUB is not. */
  private final Set<String> namespaces = new HashSet<>();

  /** Folders of copies of libraries, which are not ported. */
  private final List<String> copies = new ArrayList<>();

  /** Files with classes whose base has operators in HIP. */
  private final Set<String> bases = new HashSet<>();

  /**
   * @param ported the results of the port
   * @param beside findings of files outside the tree
   */
  Explanations(Collection<FileResult> ported, Collection<Finding> beside) {
    for (Finding f : beside) {
      names(f).forEach(n -> outside.putIfAbsent(n, f));
    }
    for (FileResult file : ported) {
      for (Finding f : file.findings()) {
        if (f.severity() != Severity.NOTE) {
          add(f);
        }
      }
    }
  }

  private void add(Finding f) {
    if (f.rule().equals(CUB_NAMESPACE)) {
      CUB.matcher(f.message()).results().forEach(m -> namespaces.add(m.group(1)));
    }
    if (f.rule().equals(VECTOR_BASE)) {
      bases.add(f.path());
    }
    if (f.rule().equals(COPY)) {
      copies.addAll(List.of(f.message().replaceFirst(":.*", "").split(", ")));
    }
    if (f.rule().equals(VECTOR_OPERATOR)) {
      Matcher own = MEANING.matcher(f.message());
      if (own.matches()) {
        String complex = "Double".equals(own.group(2)) ? "double2" : "float2";
        operators.add(own.group(1) + " " + (own.group(3) == null ? complex : own.group(3)));
      }
    }
    Matcher option = OPTION.matcher(f.message());
    if (option.matches()) {
      options.add(option.group(1));
    }
    for (int line = f.line(); line <= f.endLine(); line++) {
      lines.add(place(f, line));
    }
    names.addAll(names(f));
  }

  /** Returns the names that a finding mentions. */
  private static Set<String> names(Finding f) {
    Set<String> names = new HashSet<>();
    Matcher name = NAME.matcher(f.message());
    while (name.find()) {
      if (NOT_A_WORD.matcher(name.group()).matches()) {
        names.add(name.group());
        if (f.message().startsWith("header ")) {
          names.add(name.group().replaceFirst("[/.].*", "")); // often the namespace
        }
      }
    }
    return names;
  }

  private static String place(Finding f, int line) {
    return f.path() + ":" + line;
  }

  /** Returns whether a finding explains an error, which is at a location of the original. */
  boolean explain(Finding error) {
    Matcher expanded = EXPANDED.matcher(error.message());
    while (expanded.find()) {
      if (lines.contains(expanded.group(1))) {
        return true;
      }
    }
    return lines.contains(place(error, error.line()))
        || copies.stream().anyMatch(c -> error.path().startsWith(c + "/"))
        || (bases.contains(error.path()) && error.message().contains("'HIP_vector_type<"))
        || isInNamespace(error)
        || isOwnOperator(error.message())
        || isOption(error.message())
        || isAboutName(error.message())
        || missing(error).filter(names::contains).isPresent();
  }

  /** Whether an assertion fails whose condition has a name that a finding is about. */
  private boolean isAboutName(String message) {
    Matcher assertion = ASSERTION.matcher(message);
    return assertion.lookingAt()
        && NAME.matcher(assertion.group(1)).results().anyMatch(m -> names.contains(m.group()));
  }

  /** Whether a name is missing because hipCUB is not in the namespace of the project. */
  private boolean isInNamespace(Finding error) {
    return missing(error).filter(n -> n.equals("cub") || namespaces.contains(n)).isPresent()
        && CUB.matcher(error.snippet().replaceAll("\\s*::\\s*", "::"))
            .results()
            .anyMatch(m -> namespaces.contains(m.group(1)));
  }

  private boolean isOption(String message) {
    Matcher m = UNKNOWN_OPTION.matcher(message);
    return m.matches() && options.contains(m.group(1));
  }

  /**
   * Returns a finding outside the tree about the name that an error says is missing, or about the
   * name that the missing one qualifies: {@code cub} in {@code cub::PtxVersion}.
   *
   * @param line the line of the error
   */
  Optional<Finding> outside(Finding error, String line) {
    Optional<String> missing = missing(error);
    return missing
        .map(outside::get)
        .or(() -> missing.flatMap(n -> qualified(n, line)).map(outside::get));
  }

  /** Returns the name after the first {@code ::} that follows a name in a line. */
  private static Optional<String> qualified(String name, String line) {
    return Pattern.compile("\\b" + Pattern.quote(name) + "\\s*::\\s*(\\w+)")
        .matcher(line)
        .results()
        .map(m -> m.group(1))
        .findFirst();
  }

  private boolean isOwnOperator(String message) {
    Matcher m = AMBIGUOUS.matcher(message);
    if (!m.lookingAt()) {
      return false;
    }
    String element = m.group(2).replace("unsigned ", "u").replace(" ", "");
    return operators.contains("operator" + m.group(1) + " " + element + m.group(3));
  }

  /**
   * Returns the name or header that an error says is missing. The compiler does not name a missing
   * base of a class; the line does, if there is one base.
   */
  static Optional<String> missing(Finding error) {
    if (!error.message().startsWith("expected class name")) {
      return missing(error.message());
    }
    List<String> bases =
        CLASS_BASE.matcher(error.snippet()).results().map(m -> m.group(1)).toList();
    return bases.size() == 1 ? Optional.of(bases.getFirst()) : Optional.empty();
  }

  /** Returns the name or header that an error of the compiler says is missing. */
  static Optional<String> missing(String message) {
    Matcher m = MISSING.matcher(message);
    if (!m.lookingAt()) {
      return Optional.empty();
    }
    return Optional.of(m.group(1) != null ? m.group(1) : m.group(2));
  }
}
