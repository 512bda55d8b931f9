package dev.rocport.commandline;

import dev.rocport.commandline.ToolCommand.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the command lines of gcc, clang and hipcc. */
public final class HostParser {
  private final Path directory;
  private final boolean hip;
  private final CommandDraft draft = new CommandDraft();

  private HostParser(Path directory, boolean hip) {
    this.directory = directory;
    this.hip = hip;
  }

  /**
   * Reads one command line.
   *
   * @param args without the program's name
   * @param directory where the command runs
   * @param hip whether the program is hipcc, which compiles C++ as HIP
   */
  public static ToolCommand parse(List<String> args, Path directory, boolean hip) {
    HostParser parser = new HostParser(directory, hip);
    List<String> inputs = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (!arg.startsWith("-") || arg.equals("-")) {
        inputs.add(arg);
        // Archives and objects keep their place among the link flags.
        if (!arg.equals("-")) {
          parser.draft.input(arg);
        }
      } else if (HostFlags.takesNext(arg) && i + 1 < args.size()) {
        parser.flag(arg, args.get(++i));
      } else {
        parser.flag(arg);
      }
    }
    if (inputs.contains("-") || inputs.isEmpty()) {
      parser.draft.mode = Optional.of(Mode.QUERY);
    }
    return parser.draft.finish();
  }

  private void flag(String arg) {
    for (String joined : List.of("-I", "-D", "-U", "-L", "-l", "-o", "-isystem", "-iquote")) {
      if (arg.startsWith(joined) && arg.length() > joined.length()) {
        flag(joined, arg.substring(joined.length()));
        return;
      }
    }
    switch (arg) {
      case "-c" -> draft.mode = Optional.of(draft.mode.orElse(Mode.COMPILE));
      case "-E" -> draft.mode = Optional.of(Mode.PREPROCESS);
      case "-S" -> {
        if (draft.mode.filter(HostParser::isCode).isPresent()) {
          draft.compile.add(arg);
        } else {
          draft.mode = Optional.of(draft.mode.filter(HostParser::isStronger).orElse(Mode.ASSEMBLY));
        }
      }
      case "-fsyntax-only" ->
          draft.mode = Optional.of(draft.mode.filter(HostParser::isStronger).orElse(Mode.SYNTAX));
      case "-M" -> draft.mode = Optional.of(Mode.DEPENDENCIES);
      case "-MM" -> draft.mode = Optional.of(Mode.DEPENDENCIES_OWN);
      case "--genco", "--cuda-device-only", "--offload-device-only" -> {
        if (draft.mode.filter(m -> m == Mode.ASSEMBLY).isPresent()) {
          draft.compile.add("-S");
        }
        draft.mode = Optional.of(Mode.DEVICE_ONLY);
      }
      case "-MD" -> draft.dependencies = draft.dependencies.asWanted(false);
      case "-MMD" -> draft.dependencies = draft.dependencies.asWanted(true);
      case "-MP" -> draft.dependencies = draft.dependencies.withPhony();
      case "-fgpu-rdc" -> draft.relocatable = true;
      case "-fno-gpu-rdc" -> draft.relocatable = false;
      case "--hip-link" -> {}
      case "-export-dynamic" -> other("-rdynamic"); // g++ hands it to the linker
      default -> other(arg);
    }
  }

  private static boolean isCode(Mode mode) {
    return mode == Mode.DEVICE_ONLY;
  }

  /** Whether a mode prevails over output for a compiler to go on with, whatever comes first. */
  private static boolean isStronger(Mode mode) {
    return mode == Mode.PREPROCESS || mode == Mode.DEPENDENCIES || mode == Mode.DEPENDENCIES_OWN;
  }

  private void other(String arg) {
    if (arg.startsWith("--offload-arch")
        || arg.startsWith("--amdgpu-target")
        || arg.startsWith("--rocm-path")
        || arg.startsWith("--hip-path")
        || arg.startsWith("--rocm-device-lib-path")
        || arg.startsWith("--hip-version")
        || arg.startsWith("-parallel-jobs")) {
      return; // targets and toolchain are chosen by rocport options
    }
    draft.optimised |= arg.startsWith("-O");
    if (HostFlags.isForLinkOnly(arg)) {
      draft.link.add(arg);
      return;
    }
    if (hip && (arg.startsWith("-march") || arg.startsWith("-mtune"))) {
      draft.compile.add("-Xarch_host");
    }
    draft.compile.add(arg);
    if (HostFlags.isForBoth(arg)) {
      draft.link.add(arg);
    }
  }

  private void flag(String arg, String value) {
    switch (arg) {
      case "-o" -> draft.output = Optional.of(value);
      case "-l" -> draft.library(value);
      case "-L" -> draft.link.add("-L" + value);
      case "-I", "-isystem", "-iquote", "-idirafter" -> {
        if (!CudaHeaders.areIn(directory, value)) {
          draft.compile.addAll(arg.equals("-I") ? List.of("-I" + value) : List.of(arg, value));
        }
      }
      case "-D", "-U" -> draft.compile.add(arg + value);
      case "-MF" -> draft.dependencies = draft.dependencies.withFile(value);
      case "-MT", "-MQ" -> draft.dependencies = draft.dependencies.withTarget(value);
      case "-x" -> draft.language = value.equals("cu") ? "hip" : value;
      case "-Xlinker", "-T", "-u", "-z" -> draft.link.addAll(List.of(arg, value));
      case "--offload-arch", "--rocm-path" -> {}
      default -> draft.compile.addAll(List.of(arg, value));
    }
  }
}
