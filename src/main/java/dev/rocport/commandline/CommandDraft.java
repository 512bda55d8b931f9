package dev.rocport.commandline;

import dev.rocport.commandline.ToolCommand.Dependencies;
import dev.rocport.commandline.ToolCommand.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds a {@link ToolCommand}. */
final class CommandDraft {
  private static final Set<String> SOURCES =
      Set.of("cu", "hip", "cpp", "cc", "cxx", "c++", "C", "CPP", "c", "cup", "i", "ii");

  Optional<Mode> mode = Optional.empty();
  Optional<String> output = Optional.empty();
  String folder = "";
  String language = "";
  boolean relocatable;
  boolean optimised;
  Dependencies dependencies = Dependencies.NONE;
  final List<String> sources = new ArrayList<>();
  final List<String> compile = new ArrayList<>();
  final List<String> link = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  final List<String> problems = new ArrayList<>();

  /** An argument that is not a flag. */
  void input(String name) {
    int dot = name.lastIndexOf('.');
    boolean source = dot >= 0 && SOURCES.contains(name.substring(dot + 1));
    boolean library = name.endsWith(".a") || name.endsWith(".o") || name.contains(".so");
    (source || (!language.isEmpty() && !library) ? sources : link).add(name);
  }

  /** {@code -l}: NVIDIA's libraries become AMD's. */
  void library(String name) {
    Optional<NvccTables.Library> known = NvccTables.library(name);
    if (known.isEmpty()) {
      link.add("-l" + name);
    } else if (!known.get().hip().isEmpty()) {
      link.add("-l" + known.get().hip());
    } else if (known.get().reason().startsWith("no counterpart")) {
      notes.add("-l" + name + " is left out: " + known.get().reason());
    }
  }

  ToolCommand finish() {
    Mode chosen = mode.orElse(sources.isEmpty() && link.isEmpty() ? Mode.QUERY : Mode.LINK);
    return new ToolCommand(
        chosen,
        sources,
        output,
        folder,
        compile,
        link,
        language,
        relocatable,
        optimised,
        dependencies,
        notes,
        problems);
  }
}
