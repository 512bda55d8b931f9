package dev.rocport.build.project;

import dev.rocport.build.compile.DepFile;
import dev.rocport.build.compile.TextsHash;
import dev.rocport.build.project.FrontEnds.Request;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.commandline.ToolCommand;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes the units of one front-end call. */
final class ToolUnits {
  private final Mirror mirror;
  private final UnaryOperator<String> shown;
  private final Request request;
  private final ToolCommand command;
  private final List<String> more;

  /**
   * @param more flags after those of the command
   */
  ToolUnits(
      Mirror mirror,
      UnaryOperator<String> shown,
      Request request,
      ToolCommand command,
      List<String> more) {
    this.more = more;
    this.mirror = mirror;
    this.shown = shown;
    this.request = request;
    this.command = command;
  }

  Unit of(String source, Path object) {
    Language language = language(source);
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < command.compile().size(); i++) {
      String a = command.compile().get(i);
      boolean own = i + 1 < command.compile().size() && isOwn(a, command.compile().get(i + 1));
      if (own) {
        i++;
        continue;
      }
      boolean cxxOnly = a.startsWith("-std=c++") || a.startsWith("-std=gnu++");
      // Toolchain headers are searched last and not as headers of the project.
      boolean rocm = a.equals("-I" + mirror.frontEnds().resolve("include"));
      if ((language != Language.C || !cxxOnly) && !rocm) {
        arguments.add(
            a.startsWith("-I") ? "-I" + mirror.searched(request.directory(), a.substring(2)) : a);
      }
    }
    if (language == Language.HIP && !command.optimised() && !arguments.contains("-O0")) {
      arguments.add("-O3"); // nvcc optimises device code by default
    }
    // The rocport headers of the port.
    mirror.headers().ifPresent(h -> arguments.addAll(List.of("-idirafter", relative(h))));
    arguments.addAll(more);
    Path file = request.directory().resolve(source).normalize();
    return new Unit(
        pathOf(file),
        source,
        request.directory(),
        language,
        arguments,
        command.relocatable() && language == Language.HIP,
        object);
  }

  /**
   * Returns whether every unit gets the flag anyway: toolchain headers, and workarounds for LLVM
   * errors.
   */
  private boolean isOwn(String flag, String value) {
    return (flag.equals("-isystem")
            && value.equals(mirror.frontEnds().resolve("include").toString()))
        || (flag.equals("-mllvm") && Toolchain.isWorkaround(value));
  }

  private Language language(String source) {
    Language byName =
        source.endsWith(".cup") ? Language.HIP : Language.ofFile(source).orElse(Language.CXX);
    boolean hipcc = request.program().equals("hipcc") && byName == Language.CXX;
    return switch (command.language()) {
      case "hip" -> Language.HIP;
      case "c++" -> Language.CXX;
      case "c" -> Language.C;
      default -> hipcc ? Language.HIP : byName;
    };
  }

  private String relative(Path folder) {
    String way =
        folder.getRoot().equals(request.directory().getRoot())
            ? request.directory().relativize(folder).toString()
            : folder.toString();
    return way.isEmpty() ? "." : way;
  }

  private String pathOf(Path file) {
    return shown.apply(mirror.shown(file));
  }

  Path objectOf(String source) {
    boolean named = command.output().isPresent() && command.sources().size() == 1;
    String name = named ? command.output().orElseThrow() : base(source) + ending();
    Path folder = named ? request.directory() : request.directory().resolve(command.folder());
    return folder.resolve(name).normalize();
  }

  private String ending() {
    return command.mode() == ToolCommand.Mode.DEVICE_ONLY ? ".fatbin" : ".o";
  }

  /** Returns a path for an object that only the link of this call uses. */
  Path scratchOf(Path folder, String source) {
    String target = command.output().orElse("a.out");
    String key = new TextsHash().add(request.directory().toString()).add(target).add(source).hex();
    return folder.resolve(key.substring(0, 16)).resolve(base(source) + ".o");
  }

  private static String base(String source) {
    String name = source.substring(source.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }

  /** Returns the names of files as reports show them. */
  List<String> names(List<Path> files) {
    return files.stream().map(this::pathOf).distinct().toList();
  }

  void writeDependencies(Unit unit, String source, List<String> read) throws IOException {
    ToolCommand.Dependencies d = command.dependencies();
    String object = command.output().orElse(base(source) + ".o");
    String file = d.file();
    if (file.isEmpty()) {
      int dot = object.lastIndexOf('.');
      file = (dot <= object.lastIndexOf('/') ? object : object.substring(0, dot)) + ".d";
    }
    List<String> names =
        read.stream()
            .filter(n -> !d.own() || mirror.isOwn(unit.directory().resolve(n).normalize()))
            .toList();
    String target = d.target().isEmpty() ? object : d.target();
    Files.writeString(request.directory().resolve(file), DepFile.write(target, names, d.phony()));
  }

  /** Returns the flags after those of the unit for outputs other than objects. */
  List<String> directFlags(Unit unit, String source) {
    List<String> flags = new ArrayList<>();
    switch (command.mode()) {
      case PREPROCESS -> flags.add("-E");
      case ASSEMBLY -> flags.add("-S");
      case SYNTAX -> flags.add("-fsyntax-only");
      case DEPENDENCIES -> flags.add("-M");
      case DEPENDENCIES_OWN -> flags.add("-MM");
      default -> flags.add("--cuda-device-only");
    }
    if (command.mode() == ToolCommand.Mode.DEVICE_ONLY) {
      flags.addAll(List.of("-o", objectOf(source).toString()));
    } else {
      if (unit.hasDeviceCode()) {
        flags.add("--cuda-host-only");
      }
      command.output().ifPresent(o -> flags.addAll(List.of("-o", o)));
      flags.addAll(dependencyFlags());
    }
    flags.add(source);
    return flags;
  }

  private List<String> dependencyFlags() {
    ToolCommand.Dependencies d = command.dependencies();
    List<String> flags = new ArrayList<>();
    if (d.wanted()) {
      flags.add(d.own() ? "-MMD" : "-MD");
    }
    if (!d.file().isEmpty()) {
      flags.addAll(List.of("-MF", d.file()));
    }
    if (!d.target().isEmpty()) {
      flags.addAll(List.of("-MT", d.target()));
    }
    if (d.phony()) {
      flags.add("-MP");
    }
    return flags;
  }
}
