package dev.rocport.build;

import dev.rocport.build.nvcc.CommandLine;
import dev.rocport.build.nvcc.ToolCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The plan of a {@code compile_commands.json}: its units with their flags; what is linked, the
 * symbols tell. The file may come from the original tree, in another place: its paths are moved.
 * The format is that of clang's JSON compilation database.
 */
final class CompileCommands {
  static final String FILE = "compile_commands.json";

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
  private String movedFrom = "";

  private CompileCommands(BuildOptions options) {
    this.options = options;
  }

  static BuildPlan plan(BuildOptions options) throws PlanException, IOException {
    return new CompileCommands(options).read();
  }

  private BuildPlan read() throws PlanException, IOException {
    JsonNode entries;
    try {
      entries = new ObjectMapper().readTree(options.root().resolve(FILE));
    } catch (JacksonException e) {
      throw new PlanException(FILE + " is no JSON: " + e.getOriginalMessage());
    }
    if (!entries.isArray()) {
      throw new PlanException(FILE + " is no list of commands");
    }
    Map<String, Unit> units = new TreeMap<>();
    int n = 0;
    for (JsonNode entry : entries) {
      n++;
      Optional<Unit> unit;
      try {
        unit = unit(entry, n);
      } catch (JacksonException | InvalidPathException e) {
        throw new PlanException(
            "%s: entry %d makes no sense: %s"
                .formatted(FILE, n, String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
      }
      unit.ifPresent(u -> units.putIfAbsent(u.path(), u));
    }
    return new BuildPlan(
        FILE,
        List.copyOf(units.values()),
        List.of(),
        true,
        PlainPlanner.libraryFlags(options.libraries()),
        List.copyOf(notes));
  }

  private Optional<Unit> unit(JsonNode entry, int number) throws PlanException {
    List<String> words = new ArrayList<>();
    if (entry.has("arguments")) {
      entry.get("arguments").forEach(a -> words.add(a.asString()));
    } else if (entry.has("command")) {
      words.addAll(CommandLine.words(entry.get("command").asString()));
    }
    if (words.isEmpty() || !entry.has("file")) {
      throw new PlanException("%s: entry %d has no command or no file".formatted(FILE, number));
    }
    String directory = entry.has("directory") ? entry.get("directory").asString() : "";
    String named = entry.get("file").asString();
    Optional<String> path = locate(Path.of(directory).resolve(named).normalize());
    if (path.isEmpty()) {
      notes.add(FILE + ": " + named + " is not in the tree, left out");
      return Optional.empty();
    }
    Path folder = moved(Path.of(directory));
    String program = words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
    List<String> arguments = words.subList(1, words.size()).stream().map(this::move).toList();
    ToolCommand command = CommandLine.parse(program, arguments, folder);
    if (!command.problems().isEmpty()) {
      throw new PlanException(
          "%s: %s: %s".formatted(FILE, named, String.join("; ", command.problems())));
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
    flags.addAll(placed(harmless(command.compile(), named), folder));
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

  /** Flags by which the compiler would write files of its own, or load code, are left out. */
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

  /** The folder of a build may not be there, so relative folders are named from where it was. */
  private static List<String> placed(List<String> flags, Path folder) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < flags.size(); i++) {
      String flag = flags.get(i);
      if (flag.startsWith("-I")) {
        all.add("-I" + folder.resolve(flag.substring(2)).normalize());
      } else if (List.of("-isystem", "-iquote", "-idirafter").contains(flag)
          && i + 1 < flags.size()) {
        all.add(flag);
        all.add(folder.resolve(flags.get(++i)).normalize().toString());
      } else {
        all.add(flag);
      }
    }
    return all;
  }

  /** The file's path in this tree; also tells where the whole tree has been. */
  private Optional<String> locate(Path file) {
    if (file.startsWith(options.root())) {
      String inside = options.root().relativize(file).toString();
      return Files.isRegularFile(file) ? Optional.of(inside) : renamed(inside);
    }
    Optional<String> best = Optional.empty();
    for (int i = file.getNameCount() - 1; i >= 0; i--) {
      String suffix = file.subpath(i, file.getNameCount()).toString();
      boolean there = Files.isRegularFile(options.root().resolve(suffix));
      if (there || renamed(suffix).isPresent()) {
        best = there ? Optional.of(suffix) : renamed(suffix);
        String whole = file.toString();
        movedFrom = whole.substring(0, whole.length() - suffix.length() - 1);
      }
    }
    return best;
  }

  private Optional<String> renamed(String path) {
    String hip = path.replaceFirst("\\.cu$", ".hip");
    return Files.isRegularFile(options.root().resolve(hip)) ? Optional.of(hip) : Optional.empty();
  }

  private Path moved(Path folder) {
    return Path.of(move(folder.toString()));
  }

  private String move(String word) {
    return movedFrom.isEmpty()
        ? word
        : word.replaceAll(
            Pattern.quote(movedFrom) + "(?=/|$)",
            Matcher.quoteReplacement(options.root().toString()));
  }
}
