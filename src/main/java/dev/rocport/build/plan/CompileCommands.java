package dev.rocport.build.plan;

import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.commandline.CommandDatabase;
import dev.rocport.commandline.ToolCommand;
import dev.rocport.io.PathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the plan from a {@code compile_commands.json}: units with their flags. The symbols of the
 * objects determine what to link.
 */
public final class CompileCommands {
  private static final String FILE = CommandDatabase.FILE;
  private static final Set<String> PAIRS =
      Set.of("-Xclang", "-Xarch_host", "-Xarch_device", "-Xpreprocessor", "-Xassembler", "-mllvm");

  private static final Pattern HARMFUL =
      Pattern.compile(
          "@|--config|-M|--write-|-Wp,|-save-temps|--save-temps|-ftime-trace|-fplugin|-fpass-plugin"
              + "|-load|-B|-dump|-fcrash-diagnostics|-fmodules-cache-path|-index-store-path"
              + "|-serialize-diagnostics|--serialize-diagnostics|-foptimization-record-file"
              + "|-fsave-optimization-record|-fproc-stat-report|-stats-file|-info-output-file"
              + "|-pass-remarks-output|-o$");

  private final BuildOptions options;
  private final Set<String> notes = new LinkedHashSet<>();

  private CompileCommands(BuildOptions options) {
    this.options = options;
  }

  public static boolean isIn(Path root) {
    return Files.isRegularFile(root.resolve(FILE));
  }

  public static BuildPlan plan(BuildOptions options) throws PlanException, IOException {
    return new CompileCommands(options).read();
  }

  private BuildPlan read() throws PlanException, IOException {
    Map<String, Unit> units = new TreeMap<>();
    try {
      for (CommandDatabase.Entry entry : CommandDatabase.read(options.root())) {
        Optional<Unit> unit = unit(entry);
        unit.ifPresent(u -> units.putIfAbsent(u.path(), u));
      }
    } catch (CommandDatabase.DatabaseException e) {
      throw new PlanException(String.valueOf(e.getMessage()));
    }
    return new BuildPlan(
        FILE,
        List.copyOf(units.values()),
        List.of(),
        true,
        PlainPlanner.libraryFlags(options.libraries()),
        List.copyOf(notes));
  }

  private Optional<Unit> unit(CommandDatabase.Entry entry) throws PlanException {
    Optional<String> path = entry.path();
    if (path.isEmpty()) {
      notes.add(FILE + ": " + entry.named() + " is not in the tree and is left out");
      return Optional.empty();
    }
    Path folder = entry.folder();
    String program = entry.program();
    ToolCommand command = entry.command();
    if (!command.problems().isEmpty()) {
      throw new PlanException(
          "%s: %s: %s".formatted(FILE, entry.named(), String.join("; ", command.problems())));
    }
    command.notes().forEach(note -> notes.add(program + " " + note));
    Language byName = Language.ofFile(path.get()).orElse(Language.CXX);
    Language language =
        switch (command.language()) {
          case "hip" -> Language.HIP;
          case "c" -> Language.C;
          case "c++" -> Language.CXX;
          default -> program.equals("hipcc") && byName == Language.CXX ? Language.HIP : byName;
        };
    List<String> flags = new ArrayList<>();
    options.defines().forEach(d -> flags.add("-D" + d));
    flags.addAll(placed(harmless(command.compile(), entry.named()), folder));
    if (!command.optimised()) {
      flags.add(language == Language.HIP ? "-O3" : "-O2");
    }
    if (Files.isDirectory(options.root().resolve("rocport"))) {
      flags.addAll(List.of("-idirafter", options.root().toString()));
    }
    return Optional.of(
        new Unit(
            path.get(),
            options.root().resolve(path.get()).toString(),
            Files.isDirectory(folder) ? folder : options.root(),
            language,
            flags,
            command.relocatable() && language == Language.HIP,
            PlainPlanner.objectFor(options.out(), path.get())));
  }

  /** Removes flags that make the compiler write other files or load code. */
  private List<String> harmless(List<String> flags, String file) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < flags.size(); i++) {
      String flag = flags.get(i);
      boolean pair = PAIRS.contains(flag) && i + 1 < flags.size();
      String meant = pair ? flags.get(i + 1) : flag;
      if (HARMFUL.matcher(meant).lookingAt()) {
        notes.add("%s: %s: %s is left out".formatted(FILE, file, pair ? flag + " " + meant : flag));
      } else {
        kept.add(flag);
        if (pair) {
          kept.add(meant);
        }
      }
      i += pair ? 1 : 0;
    }
    return kept;
  }

  /** Resolves relative folders against the folder of the original build, which may not exist. */
  private static List<String> placed(List<String> flags, Path folder) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < flags.size(); i++) {
      String flag = flags.get(i);
      if (flag.startsWith("-I")) {
        all.add("-I" + placed(flag.substring(2), folder));
      } else if (List.of("-isystem", "-iquote", "-idirafter").contains(flag)
          && i + 1 < flags.size()) {
        all.add(flag);
        all.add(placed(flags.get(++i), folder));
      } else {
        all.add(flag);
      }
    }
    return all;
  }

  private static String placed(String name, Path folder) {
    return PathText.normalized(folder, name).map(Path::toString).orElse(name);
  }
}
