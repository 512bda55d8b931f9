package dev.rocport.build.compile;

import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.runtime.AmdSmi;
import dev.rocport.toolchain.runtime.PrecompiledHeaders;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes the command lines of the compiler. */
public final class CompileCommand {
  /** Flags for one-line messages without colors and source text. */
  private static final List<String> MESSAGES =
      List.of(
          "-fno-caret-diagnostics",
          "-fno-color-diagnostics",
          "-ferror-limit=200",
          "-Wno-unused-command-line-argument");

  /** What gcc before version 14, for which most C sources are written, only warns about. */
  private static final List<String> OLD_C =
      List.of(
          "-Wno-error=implicit-function-declaration",
          "-Wno-error=implicit-int",
          "-Wno-error=int-conversion",
          "-Wno-error=incompatible-function-pointer-types");

  /** Flags with which gcc accepts names that are not declared; clang does not. */
  private static final Set<String> HIDING = Set.of("-w", "-fpermissive");

  private static final Pattern UNKNOWN = Pattern.compile("error: unknown argument: '([^']+)'");

  private final Toolchain toolchain;
  private final List<String> targets;
  private final boolean lines;
  private final DebugNames names;
  private final List<String> headers;

  /**
   * @param lines whether objects contain line tables, unless flags of the project override it
   * @throws ToolchainException if the rocSHMEM in use needs an MPI that is not there
   */
  public CompileCommand(Toolchain toolchain, List<String> targets, boolean lines, DebugNames names)
      throws ToolchainException {
    this.lines = lines;
    this.names = names;
    this.toolchain = toolchain;
    this.targets = List.copyOf(targets);
    this.headers = Rocshmem.of(toolchain).compile();
  }

  List<String> targets() {
    return targets;
  }

  /** Returns the targets of a unit's device code, and the host. */
  List<String> sides(Unit unit) {
    List<String> sides = new ArrayList<>(unit.hasDeviceCode() ? targets : List.of());
    sides.add(Compiler.HOST);
    return sides;
  }

  /** Returns all flags that affect the object, without output and folder names. */
  public List<String> flags(Unit unit) {
    return flags(unit, targets);
  }

  /** Returns flags for the names in debug information. */
  public List<String> names(Unit unit) {
    return names.flags(unit);
  }

  /** Returns what the names in debug information depend on in addition to the flags. */
  String place(Unit unit) {
    return DebugNames.isMade(flags(unit)) ? names.key(unit) : "";
  }

  private List<String> flags(Unit unit, List<String> forTargets) {
    List<String> flags = new ArrayList<>();
    if (unit.hasDeviceCode()) {
      flags.addAll(toolchain.hipCompile(forTargets));
      if (unit.relocatable()) {
        flags.add("-fgpu-rdc");
      }
    } else {
      flags.add("-x");
      flags.add(unit.language().driverName());
      flags.addAll(toolchain.hostCompile());
    }
    flags.addAll(unit.language() == Language.C ? OLD_C : headers);
    flags.addAll(AmdSmi.compile());
    if (lines) {
      // Does not change machine code. The last -g of a command applies, so a project's own flag
      // overrides it.
      flags.add("-gline-tables-only");
    }
    flags.addAll(unit.arguments());
    flags.addAll(MESSAGES);
    return flags;
  }

  List<String> compile(Unit unit, Path object, Path depFile) {
    List<String> command = new ArrayList<>(PrecompiledHeaders.compiler(toolchain));
    command.addAll(flags(unit));
    command.addAll(names(unit));
    command.addAll(List.of("-MD", "-MF", depFile.toString(), "-MT", "object"));
    command.addAll(List.of("-c", input(unit), "-o", object.toString()));
    return command;
  }

  /** Returns a command that makes an object without contents. */
  public List<String> emptyObject(Path object) {
    return List.of(
        toolchain.clang().toString(), "-x", "c", "-c", "/dev/null", "-o", object.toString());
  }

  /** Returns a command that only checks for errors, for one target or the host side. */
  List<String> check(Unit unit, String side) {
    boolean host = side.equals(Compiler.HOST);
    List<String> command = new ArrayList<>(PrecompiledHeaders.compiler(toolchain));
    command.addAll(flags(unit, host ? targets : List.of(side)));
    if (unit.hasDeviceCode()) {
      command.add(host ? "--cuda-host-only" : "--cuda-device-only");
    }
    if (unit.language() == Language.C) {
      // The name may be one that the port missed.
      command.add("-Werror=implicit-function-declaration");
    }
    // A guess at a name would lead to further errors.
    command.addAll(List.of("-fno-spell-checking", "-fsyntax-only", input(unit)));
    return command;
  }

  /**
   * Returns a unit without device code without the flags that only gcc knows, such as {@code
   * -ftree-vectorizer-verbose}; empty if it has none.
   *
   * @param messages the output of the compiler
   */
  static Optional<Unit> withKnownFlags(Unit unit, String messages) {
    List<String> unknown = UNKNOWN.matcher(messages).results().map(m -> m.group(1)).toList();
    List<String> arguments = unit.arguments().stream().filter(a -> !unknown.contains(a)).toList();
    return unit.hasDeviceCode() || arguments.size() == unit.arguments().size()
        ? Optional.empty()
        : Optional.of(unit.withArguments(arguments));
  }

  /** Returns the command for a unit without device code and the GNU compiler of the machine. */
  List<String> compileWithGnu(Unit unit, Path object, Path depFile) {
    List<String> command = new ArrayList<>(gnu(unit));
    command.addAll(List.of("-MD", "-MF", depFile.toString(), "-MT", "object"));
    command.addAll(List.of("-c", input(unit), "-o", object.toString()));
    return command;
  }

  /**
   * Returns a command for an output other than an object.
   *
   * @param output flags of the output, and the source
   */
  public List<String> other(Unit unit, List<String> output) {
    List<String> command = new ArrayList<>(List.of(toolchain.clang().toString()));
    command.addAll(flags(unit));
    command.addAll(names(unit));
    command.addAll(output);
    return command;
  }

  /** Returns the same for a unit without device code and the GNU compiler of the machine. */
  public List<String> otherWithGnu(Unit unit, List<String> output) {
    List<String> command = new ArrayList<>(gnu(unit));
    command.addAll(output);
    return command;
  }

  /** Returns the same to check for errors only. */
  List<String> checkWithGnu(Unit unit) {
    List<String> command = new ArrayList<>(gnu(unit));
    command.addAll(List.of("-fsyntax-only", input(unit)));
    return command;
  }

  /** Returns the name of the GNU compiler for a language. */
  static String gnu(Language language) {
    return language == Language.C ? "gcc" : "g++";
  }

  private List<String> gnu(Unit unit) {
    boolean c = unit.language() == Language.C;
    List<String> command = new ArrayList<>(List.of(gnu(unit.language())));
    command.addAll(List.of("-x", unit.language().driverName()));
    command.addAll(toolchain.hostCompile());
    command.addAll(c ? List.of() : headers);
    unit.arguments().stream().filter(a -> !HIDING.contains(a)).forEach(command::add);
    command.addAll(List.of("-Wno-error", "-fno-lto")); // lld does not link what gcc writes for LTO
    if (c) {
      // The name may be one that the port missed.
      command.add("-Werror=implicit-function-declaration");
    }
    return command;
  }

  /** Returns the name of the source in a form that is not parsed as a flag or response file. */
  private static String input(Unit unit) {
    String source = unit.source();
    return source.startsWith("-") || source.startsWith("@") ? "./" + source : source;
  }

  /** Returns the absolute include folders of the unit's flags and location. */
  static List<Path> searched(Unit unit) {
    List<Path> folders = new ArrayList<>();
    Path source = unit.directory().resolve(unit.source()).normalize();
    folders.add(source.getParent());
    List<String> args = unit.arguments();
    for (int i = 0; i < args.size(); i++) {
      for (String flag : List.of("-I", "-iquote", "-isystem", "-idirafter")) {
        String arg = args.get(i);
        if (arg.equals(flag) && i + 1 < args.size()) {
          folders.add(unit.directory().resolve(args.get(i + 1)).normalize());
        } else if (arg.startsWith(flag) && arg.length() > flag.length()) {
          folders.add(unit.directory().resolve(arg.substring(flag.length())).normalize());
        }
      }
    }
    return folders.stream().distinct().toList();
  }
}
