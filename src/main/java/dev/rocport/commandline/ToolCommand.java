package dev.rocport.commandline;

import java.util.List;
import java.util.Optional;

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
 * @param relocatable device code is linked later
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

  /** What comes out. */
  public enum Mode {
    /** An object for each source. */
    COMPILE,
    /** A program or shared library, from sources and objects. */
    LINK,
    /** A static library. */
    ARCHIVE,
    /** An object that nvcc needs for device code across files; clang does without. */
    DEVICE_LINK,
    /** GPU code in a separate file. */
    DEVICE_ONLY,
    PREPROCESS,
    /** A make rule on standard output, system headers included. */
    DEPENDENCIES,
    /** A make rule on standard output, without system headers. */
    DEPENDENCIES_OWN,
    /** Nothing is built: a question for the version and the like. */
    QUERY
  }

  /**
   * The dependency file written beside an object.
   *
   * @param wanted whether there is one
   * @param own without system headers
   * @param file its name; empty for the object's with {@code .d}
   * @param target what is before the colon; empty for the object
   * @param phony with an empty rule for each header
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
