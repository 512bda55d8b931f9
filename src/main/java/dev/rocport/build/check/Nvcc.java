package dev.rocport.build.check;

import dev.rocport.build.run.UnitResult;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.io.PathText;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compiles originals with nvcc, to tell errors of a project from errors of its port. */
public final class Nvcc {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** An error of cudafe++ or cicc, such as {@code a.cu(3): error: message}. */
  private static final Pattern FRONT_END =
      Pattern.compile("^(.+?)\\((\\d{1,9})\\): (?:catastrophic )?error(?: #\\S+)?: (.*)$");

  /** An error of the host compiler, which is also nvcc's preprocessor. */
  private static final Pattern HOST =
      Pattern.compile("^(.+?):(\\d{1,9}):(?:\\d+:)? (?:fatal )?error: (.*)$");

  /** Without a header, other errors may follow from names that are not declared. */
  private static final Pattern MISSING =
      Pattern.compile("cannot open source file|No such file or directory");

  private static final Set<String> FOLDERS = Set.of("-I", "-isystem", "-iquote", "-idirafter");
  private static final Set<String> FILES = Set.of("-include", "-imacros");

  private static final Pattern STANDARD = Pattern.compile("-std=(?:c|gnu)\\+\\+(\\w+)");

  private final Path program;
  private final Path original;

  /**
   * @param program the driver
   * @param original the tree that was ported
   */
  public Nvcc(Path program, Path original) {
    this.program = program.toAbsolutePath();
    this.original = original.toAbsolutePath().normalize();
  }

  /**
   * Returns what nvcc says about the original of a unit, compiled with the include folders, macros
   * and the language standard of the unit: the first message of each line of the tree, by path and
   * line such as {@code a.cu:3}. Empty if nvcc accepts the original, if a header is missing, or if
   * the original has another path than the port.
   *
   * @param object a file for the object, deleted afterwards
   * @throws IOException if nvcc cannot be started
   */
  public Map<String, String> errors(UnitResult result, Path object)
      throws IOException, InterruptedException {
    Unit unit = result.unit();
    Path source = original.resolve(unit.path());
    if (!Files.isRegularFile(source)) {
      return Map.of();
    }
    Optional<Path> copy = copyOf(unit);
    Path directory =
        copy.map(c -> toOriginal(c, unit.directory())).filter(Files::isDirectory).orElse(original);
    String language = unit.language() == Language.HIP ? "cu" : unit.language().driverName();
    List<String> command = new ArrayList<>(List.of(program.toString(), "-x", language));
    command.addAll(flags(unit, copy));
    if (unit.relocatable()) {
      command.add("-rdc=true");
    }
    command.addAll(List.of("-c", source.toString(), "-o", object.toString()));
    Exec.Outcome outcome = Exec.run(command, directory, Map.of(), LIMIT);
    Files.deleteIfExists(object);
    return outcome.ok() || outcome.timedOut()
        ? Map.of()
        : errors(outcome.stdout() + "\n" + outcome.stderr(), directory);
  }

  /** Returns the name of the program, for messages. */
  public String name() {
    return program.getFileName().toString();
  }

  private Map<String, String> errors(String output, Path directory) {
    Map<String, String> found = new HashMap<>();
    for (String line : output.lines().toList()) {
      Matcher m = FRONT_END.matcher(line);
      if (!m.matches() && !m.usePattern(HOST).matches()) {
        continue;
      }
      if (MISSING.matcher(m.group(3)).find()) {
        return Map.of();
      }
      Path file = directory.resolve(m.group(1)).normalize();
      if (file.startsWith(original)) {
        found.putIfAbsent(PathText.of(original.relativize(file)) + ":" + m.group(2), m.group(3));
      }
    }
    return found;
  }

  /** Returns the copy of the tree that a unit is in: its source has the same path there. */
  private static Optional<Path> copyOf(Unit unit) {
    Path file = unit.directory().resolve(unit.source()).normalize();
    Path path = Path.of(unit.path());
    Path folder = file;
    for (int i = 0; i < path.getNameCount() && folder != null; i++) {
      folder = folder.getParent();
    }
    return file.endsWith(path) ? Optional.ofNullable(folder) : Optional.empty();
  }

  private Path toOriginal(Path copy, Path file) {
    return original.resolve(copy.relativize(file)).normalize();
  }

  /** Returns the flags of a unit that say what its source means, for files of the original. */
  private List<String> flags(Unit unit, Optional<Path> copy) {
    List<String> flags = new ArrayList<>();
    List<String> arguments = unit.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      String next = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
      Optional<String> folder = FOLDERS.stream().filter(argument::startsWith).findFirst();
      Matcher standard = STANDARD.matcher(argument);
      if (folder.isPresent()) {
        boolean apart = argument.equals(folder.get());
        String name = apart ? next : argument.substring(folder.get().length());
        String flag = folder.get().equals("-isystem") ? "-isystem" : "-I";
        places(unit, copy, name).forEach(p -> flags.addAll(List.of(flag, p.toString())));
        i += apart ? 1 : 0;
      } else if (FILES.contains(argument)) {
        places(unit, copy, next).forEach(p -> flags.addAll(List.of("-include", p.toString())));
        i++;
      } else if (argument.equals("-D") || argument.equals("-U")) {
        flags.add(argument + next);
        i++;
      } else if (argument.startsWith("-D") || argument.startsWith("-U")) {
        flags.add(argument);
      } else if (standard.matches()) {
        flags.add("-std=c++" + standard.group(1));
      }
    }
    flags.removeIf(f -> f.startsWith("-D__HIP"));
    return flags;
  }

  /**
   * Returns where a file or folder of a flag is in the original, and where it is now if a build
   * generated it; none for files that only a port has.
   */
  private List<Path> places(Unit unit, Optional<Path> copy, String name) {
    Path now = unit.directory().resolve(name).normalize();
    if (copy.isEmpty() || !now.startsWith(copy.get())) {
      Path beside = copy.map(c -> toOriginal(c, now)).orElse(now);
      return Files.exists(beside) ? List.of(beside) : Files.exists(now) ? List.of(now) : List.of();
    }
    Path then = toOriginal(copy.get(), now);
    if (Files.exists(then)) {
      return List.of(then);
    }
    boolean ofPort = copy.get().relativize(now).startsWith("rocport");
    return ofPort || !Files.exists(now) ? List.of() : List.of(now);
  }
}
