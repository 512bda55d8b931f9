package dev.rocport.commandline;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A compiler command, in terms of the HIP compiler.
 *
 * @param mode the kind of output
 * @param sources files to compile, as spelled
 * @param output as spelled; empty if the name is derived from the input
 * @param folder the folder of outputs without a name, as spelled; empty for the current one
 * @param compile flags for compiling, in order
 * @param link objects, libraries and flags for linking, in order
 * @param language {@code hip}, {@code c++} or {@code c} if it was forced, otherwise empty
 * @param relocatable whether device code is linked later
 * @param optimised whether an optimization level was given
 * @param dependencies the requested dependency output
 * @param notes flags that were dropped and are worth reporting
 * @param problems flags that cannot be translated; the command fails if there are any
 */
public record ToolCommand(
    Mode mode,
    List<String> sources,
    Optional<String> output,
    String folder,
    List<String> compile,
    List<String> link,
    String language,
    boolean relocatable,
    boolean optimised,
    Dependencies dependencies,
    List<String> notes,
    List<String> problems) {
  private static final Pattern C_FILE = Pattern.compile(".*\\.[ci]");
  private static final Pattern CXX_FILE =
      Pattern.compile(".*\\.(?:[ci]|ii|cc|cp|cpp|cxx|c\\+\\+|C)");

  /** Returns the command as g++ and clang++ read it, which compile C files as C++. */
  ToolCommand asCxx() {
    boolean applies =
        language.isEmpty()
            && sources.stream().anyMatch(s -> C_FILE.matcher(s).matches())
            && sources.stream().allMatch(s -> CXX_FILE.matcher(s).matches());
    return applies ? with(output, "c++") : this;
  }

  /** Returns the command with another output. */
  public ToolCommand withOutput(String name) {
    return with(Optional.of(name), language);
  }

  private ToolCommand with(Optional<String> otherOutput, String otherLanguage) {
    return new ToolCommand(
        mode,
        sources,
        otherOutput,
        folder,
        compile,
        link,
        otherLanguage,
        relocatable,
        optimised,
        dependencies,
        notes,
        problems);
  }

  /** Kind of output. */
  public enum Mode {
    /** An object for each source. */
    COMPILE,
    /** A program or shared library, from sources and objects. */
    LINK,
    /** A static library. */
    ARCHIVE,
    /** An object from a device link of nvcc, which clang does not need. */
    DEVICE_LINK,
    /** GPU code in a separate file. */
    DEVICE_ONLY,
    PREPROCESS,
    /** Assembly of each source. */
    ASSEMBLY,
    /** Only the messages of the compiler. */
    SYNTAX,
    /** A make rule on standard output, including system headers. */
    DEPENDENCIES,
    /** A make rule on standard output, without system headers. */
    DEPENDENCIES_OWN,
    /** Nothing is built: a query, such as for the version. */
    QUERY
  }

  /**
   * The dependency file of an object.
   *
   * @param wanted whether it is requested
   * @param own whether it omits system headers
   * @param file its name; empty for the name of the object with {@code .d}
   * @param target target of the rule; empty for the object
   * @param phony whether each header gets an empty rule
   */
  public record Dependencies(
      boolean wanted, boolean own, String file, String target, boolean phony) {
    static final Dependencies NONE = new Dependencies(false, false, "", "", false);

    Dependencies asWanted(boolean ownOnly) {
      return new Dependencies(true, ownOnly, file, target, phony);
    }

    Dependencies withFile(String name) {
      return new Dependencies(wanted, own, name, target, phony);
    }

    Dependencies withTarget(String name) {
      return new Dependencies(wanted, own, file, name, phony);
    }

    Dependencies withPhony() {
      return new Dependencies(wanted, own, file, target, true);
    }
  }

  public ToolCommand {
    sources = List.copyOf(sources);
    compile = List.copyOf(compile);
    link = List.copyOf(link);
    notes = List.copyOf(notes);
    problems = List.copyOf(problems);
  }
}
