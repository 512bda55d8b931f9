package dev.rocport.build.check;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.run.BuildFindings;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.Language;
import dev.rocport.commandline.NvccWords;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the errors of the compiler with the findings of the port.
 *
 * <p>An error is silent if no finding explains it, it does not follow from an earlier error of the
 * unit, no header refuses the code by design, and no header is missing that is neither part of CUDA
 * nor in the tree.
 */
public final class Comparison {
  /** The rule for silent errors. */
  public static final String SILENT = "PORT-CHECK";

  private static final String REFUSED = "PORT-REFUSED";

  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");

  /** Where an error outside the tree is. */
  private static final Pattern OUTSIDE = Pattern.compile(" \\(in (/\\S+):(\\d{1,9})\\)");

  private static final Pattern ERROR_DIRECTIVE = Pattern.compile("#\\s*error\\b.*");

  /** What the compiler says about the bases of a class in which a member has no type. */
  private static final Pattern BASE =
      Pattern.compile(
          "cannot initialize (?:object parameter|a parameter|a variable|return object) of type"
              + " '[^']+' with an .* of type '[^']+'.*");

  /** C compilers older than clang 16 and gcc 14 accept such calls. */
  private static final Pattern UNDECLARED =
      Pattern.compile("call to undeclared (?:library )?function ");

  /** What the compiler says last if it stops because of earlier errors. */
  private static final String STOPPED = "too many errors emitted, stopping now";

  private static final String CUT = "the compiler stopped because of too many errors";

  /**
   * A library whose headers do not serve all of HIP, or code that no compiler of CUDA accepts.
   *
   * @param error what the compiler says about it
   * @param message the reason; {@code %s} is the unit
   */
  private record Library(Pattern error, String message) {}

  private static final List<Library> LIBRARIES =
      List.of(
          // the first lines that a C++ compiler reads and the HIP compiler does not
          new Library(
              Pattern.compile("'cuda/__cccl_config' file not found \\(in \\S*/thrust/\\S+\\).*"),
              "the Thrust of ROCm compiles as HIP only, and %s is C++"),
          // copies in the tree leave the build
          new Library(
              Pattern.compile(
                  "'cuda\\w*\\.h' file not found \\(in /\\S*/(?:cub|thrust|libcudacxx)/\\S+\\).*"),
              "the build finds a copy of CUB, Thrust or libcu++ outside the folder, which needs"
                  + " CUDA; port the folder that contains it, or leave its include folder out"),
          // it declares its functions for the device with CUDA only
          new Library(
              Pattern.compile(
                  "reference to __host__ function '[^']*\\bglm::.*"
                      + "|reference to __host__ function .*(?:\\(in| declared here at) /\\S*/glm/.*"
                      + "|no matching function for call to .*"
                      + BuildFindings.HOST_ONLY
                      + ".* at \\S*\\bglm/.*"
                      + "|invalid operands to binary expression \\('[^']*\\bglm::"
                      + "(?!.*\\(for host\\)).*"),
              "GLM before 1.0 has no functions for device code of HIP; use GLM 1.0 or later"),
          // both are one type in CUDA
          new Library(
              Pattern.compile(
                  "cannot initialize .*'hip(?:Texture|Surface)Object_t'.* with an .* of type"
                      + " 'hip(?:Texture|Surface)Object_t'.*"),
              "HIP's types of texture and surface objects do not convert; declare each object with"
                  + " the type that the calls with it take"),
          // __CV_CUDA_HOST_DEVICE__ is empty without CUDA
          new Library(
              Pattern.compile(
                  "(?:no matching (?:member )?function for call to .*"
                      + BuildFindings.HOST_ONLY
                      + ".*|reference to __host__ function .* declared here)"
                      + " at \\S*/opencv2/core/cuda_types\\.hpp:.*"),
              "OpenCV declares the functions of PtrStep, PtrStepSz and similar classes for device"
                  + " code of CUDA only; pass data, step and size to the kernel instead"),
          // nvcc leaves the bodies of such functions out on the host side
          new Library(
              Pattern.compile(
                  "no matching function for call to .*\\(for host\\).*"
                      + BuildFindings.HOST_ONLY
                      + "__(?:device|global)__ function.*"),
              "clang resolves the calls in __device__ functions on the host side, too, where nvcc"
                  + " leaves them out; guard the call of a host function, or declare the function"
                  + " that calls it __host__ __device__"),
          // HIP makes lambdas without execution spaces functions of both sides
          new Library(
              Pattern.compile(
                  "capture host variable '[^']*' by reference in device or host device lambda"
                      + " function.*"),
              "device code calls a lambda that captures a variable of the host by reference, which"
                  + " nvcc rejects, too; capture a pointer or an iterator by value"),
          // objects whose type depends on parameters of templates
          new Library(
              Pattern.compile(
                  "(?:use|missing) 'template' keyword (?:to treat|prior to dependent template name)"
                      + " .*"),
              "nvcc reads this call of a member template of a dependent object without the word"
                  + " template, and clang does not; write object.template name<...>(...)"),
          // a function of the tree
          new Library(
              Pattern.compile(
                  "no matching (?:member )?function for call to .*"
                      + BuildFindings.DEVICE_ONLY
                      + " at (?!/|rocport/).*"),
              "host code names a function of the device, which clang rejects also where nothing is"
                  + " called, as in decltype; declare this function __host__ __device__"));

  /** An error in a macro. */
  private static final Pattern MACRO =
      Pattern.compile(".*; " + BuildFindings.EXPANDED + "'(\\w+)(?:\\(\\w*\\))?' at .*");

  /** A flag that only nvcc knows; long names of others are left alone. */
  private static final Pattern FLAG = Pattern.compile("unknown argument: '(-(?!-)[^']+)'.*");

  private final Rule rule;
  private final Rule refused;
  private final Set<String> headers;
  private final Explanations explanations;
  private final Surroundings around;

  /** Names of HIP, with the first version that has them if that is not the oldest. */
  private final Map<String, String> versions = new HashMap<>();

  private final Path include;
  private final MissingHeaders notFound;
  private @Nullable NearNames near;

  /**
   * @param ported the results of the port
   * @param include the folder of the HIP headers, to find names that are like a missing one
   * @param original the tree that was ported; empty if it is not there
   * @param around the files outside the tree
   */
  public Comparison(
      RuleCatalog catalog,
      Collection<FileResult> ported,
      Path include,
      Optional<Path> original,
      Surroundings around) {
    this.rule = catalog.require(SILENT);
    this.refused = catalog.require(REFUSED);
    this.headers =
        catalog.names().stream()
            .filter(n -> n.kind() == ApiName.Kind.HEADER)
            .map(ApiName::cuda)
            .collect(Collectors.toSet());
    this.explanations = new Explanations(ported, around.findings());
    this.around = around;
    for (ApiName name : catalog.names()) {
      if (!name.needs().isEmpty()) {
        versions.put(name.hip(), name.needs());
      }
    }
    this.include = include;
    this.notFound = new MissingHeaders(original);
  }

  /** Returns the verdict on a unit, with the first error of each line. */
  public CheckedUnit of(UnitResult unit) throws IOException {
    return of(unit, name -> false);
  }

  /**
   * Returns the verdict on a unit that was not compiled as the build does it. Names that the build
   * may define are no errors of the port.
   *
   * @param defined whether a build file defines a macro
   */
  public CheckedUnit of(UnitResult unit, Predicate<String> defined) throws IOException {
    List<Finding> errors =
        unit.findings().stream()
            .filter(e -> !isOldC(unit.language(), e) && !e.message().startsWith(STOPPED))
            .toList();
    if (!unit.ok()
        && errors.isEmpty()
        && unit.findings().stream().anyMatch(e -> e.message().startsWith(STOPPED))) {
      return new CheckedUnit(unit.path(), Verdict.UNCHECKED, List.of(), CUT);
    }
    if (unit.ok() || (errors.isEmpty() && !unit.findings().isEmpty())) {
      return new CheckedUnit(unit.path(), Verdict.COMPILES, List.of(), "");
    }
    List<Finding> silent = new ArrayList<>();
    List<Finding> refusals = new ArrayList<>();
    Set<String> suspect = new HashSet<>();
    boolean known = false;
    boolean missingType = false;
    String reason = unit.findings().isEmpty() ? unit.message() : "";
    for (Finding error : errors) {
      Optional<String> missing = Explanations.missing(error);
      String line = line(error);
      Optional<String> needs = needs(error, line, missing);
      Optional<Finding> refusal =
          refusal(unit, error, line)
              .or(
                  () ->
                      explanations
                          .outside(error, line)
                          .or(() -> around.about(error))
                          .map(f -> f.at(error, f.message())));
      if (error.rule().equals(BuildFindings.NEEDS) || explanations.explain(error)) {
        known = true;
        missingType |= error.message().startsWith("unknown type name");
      } else if (missingType && BASE.matcher(error.message()).matches()) {
        known = true;
      } else if (refusal.isPresent()) {
        refusals.add(refusal.get());
      } else if (refusals.stream().anyMatch(r -> isInAddedHeader(error) || isAtLine(r, error))) {
        known = true; // it follows from what the header refuses
      } else if (needs.isPresent()) {
        reason = reason.isEmpty() ? needs.get() : reason;
      } else if (missing.filter(suspect::contains).isEmpty()) {
        if (missing.filter(defined).isEmpty()) {
          silent.add(silent(error, missing));
        } else if (reason.isEmpty()) {
          reason =
              "a build file defines " + missing.get() + ", and this unit was not compiled with it";
        }
      }
      Matcher word = WORD.matcher(error.snippet());
      while (word.find()) {
        suspect.add(word.group());
      }
    }
    Verdict verdict;
    if (!silent.isEmpty()) {
      verdict = Verdict.SILENT;
    } else if (!reason.isEmpty()) {
      verdict = Verdict.UNCHECKED;
    } else {
      verdict = known || !refusals.isEmpty() ? Verdict.EXPLAINED : Verdict.UNCHECKED;
    }
    List<Finding> found = new ArrayList<>(refusals);
    found.addAll(silent);
    Set<String> told = new HashSet<>();
    found.removeIf(f -> !told.add(CheckedUnit.key(f)));
    return new CheckedUnit(unit.path(), verdict, found, verdict == Verdict.UNCHECKED ? reason : "");
  }

  /** Whether gcc, which compiles the C files of a project, only warns about an error. */
  private static boolean isOldC(Language language, Finding error) {
    return language == Language.C
        && UNDECLARED.matcher(error.message()).lookingAt()
        && Explanations.missing(error)
            .filter(n -> NearNames.isCuda(n) || n.startsWith("hip"))
            .isEmpty();
  }

  /** Returns a finding about an error by which a header refuses the code; empty for others. */
  private Optional<Finding> refusal(UnitResult unit, Finding error, String line)
      throws IOException {
    boolean stops =
        error.message().startsWith("static assertion failed")
            || ERROR_DIRECTIVE.matcher(error.snippet()).matches();
    if (stops && isInAddedHeader(error)) {
      return Optional.of(finding(refused, error, error.message()));
    }
    Matcher macro = MACRO.matcher(error.message());
    if (macro.matches() && breaksHeader(macro.group(1), error, line)) {
      return Optional.of(
          finding(
              refused,
              error,
              ("a header of ROCm uses the name '%s', which this macro replaces; rename the macro,"
                      + " or define it after the includes")
                  .formatted(macro.group(1))));
    }
    Matcher flag = FLAG.matcher(error.message());
    if (flag.matches() && NvccWords.isForAll(flag.group(1))) {
      return Optional.of(
          finding(
              refused,
              error,
              ("hipcc gets %s, a flag of nvcc, from a build file that was not ported, such as a"
                      + " makefile above the folder; port the folder that contains this file")
                  .formatted(flag.group(1))));
    }
    return LIBRARIES.stream()
        .filter(l -> l.error().matcher(error.message()).matches())
        .findFirst()
        .map(l -> finding(refused, error, l.message().formatted(unit.path())));
  }

  /** Whether an error is in a line of a HIP header that has the name of a macro of the project. */
  private boolean breaksHeader(String macro, Finding error, String line) throws IOException {
    Matcher file = OUTSIDE.matcher(error.message());
    return file.find()
        && error.snippet().matches("#\\s*define\\s+" + macro + "\\b.*")
        && line.matches(".*\\b" + macro + "\\b.*")
        && Path.of(file.group(1)).toRealPath().startsWith(include.toRealPath());
  }

  private static boolean isAtLine(Finding refusal, Finding error) {
    return refusal.line() == error.line() && refusal.path().equals(error.path());
  }

  private static boolean isInAddedHeader(Finding error) {
    return error.path().startsWith("rocport/");
  }

  /** Returns what a unit needs from its build or from newer headers; empty if it needs nothing. */
  private Optional<String> needs(Finding error, String line, Optional<String> missing) {
    if (ERROR_DIRECTIVE.matcher(line).matches()) {
      return Optional.of("the source stops the compilation with " + line);
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    String name = missing.get();
    String version = versions.get(name);
    if (version != null) {
      return Optional.of(
          "the installed headers lack '" + name + "', which HIP " + version + " added");
    }
    boolean absent = error.message().contains("file not found") && !isCudaHeader(name);
    return absent && !notFound.isForCuda(name)
        ? Optional.of(notFound.explain(name, error.path()))
        : Optional.empty();
  }

  /** Returns the line of an error, also in a file outside the tree. */
  private static String line(Finding error) {
    Matcher file = OUTSIDE.matcher(error.message());
    if (!file.find()) {
      return error.snippet();
    }
    try (Stream<String> lines = Files.lines(Path.of(file.group(1)), StandardCharsets.ISO_8859_1)) {
      long before = Long.parseLong(file.group(2)) - 1;
      return lines.skip(before).findFirst().map(String::strip).orElse("");
    } catch (IOException | UncheckedIOException e) {
      return error.snippet();
    }
  }

  private boolean isCudaHeader(String name) {
    boolean own = name.contains("/") && !name.startsWith("cuda/"); // a folder of the project
    return headers.contains(name)
        || (!own && NearNames.isCuda(name.replaceAll(".*/|\\.\\w+$", "")));
  }

  private Finding silent(Finding error, Optional<String> missing) throws IOException {
    String like = "";
    if (missing.filter(NearNames::isCuda).isPresent()) {
      like =
          near()
              .nearest(missing.get())
              .map(
                  n ->
                      "; no rule ports this name; the most similar name in the HIP headers is '"
                          + n
                          + "'")
              .orElse("; no rule ports this name, and the HIP headers have no similar name");
    }
    return finding(rule, error, error.message() + like);
  }

  private static Finding finding(Rule rule, Finding error, String message) {
    return new Finding(
        rule.id(),
        rule.severity(),
        error.disposition(),
        error.path(),
        error.line(),
        error.column(),
        error.endLine(),
        error.endColumn(),
        message,
        rule.advice(),
        error.snippet(),
        error.fingerprint());
  }

  private NearNames near() throws IOException {
    NearNames known = near;
    if (known == null) {
      known = NearNames.of(include);
      near = known;
    }
    return known;
  }
}
