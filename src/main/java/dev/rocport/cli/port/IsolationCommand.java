package dev.rocport.cli.port;

import dev.rocport.build.cuda.CudaBuild;
import dev.rocport.build.cuda.CudaBuild.Compared;
import dev.rocport.cli.option.PageChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.cudastub.CudaCommand;
import dev.rocport.io.Json;
import dev.rocport.singlesource.Gates;
import dev.rocport.singlesource.Isolation;
import dev.rocport.singlesource.Isolation.Checked;
import dev.rocport.singlesource.Isolation.Verdict;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.provision.Toolchains;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** {@code rocport isolation}: proves that a change does not affect what NVIDIA compiles. */
@Command(
    name = "isolation",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Proves that NEW is identical to OLD for NVIDIA: once the parts for AMD are removed, every"
          + " file must equal the old one byte for byte. These parts are the branches guarded by"
          + " __HIP_PLATFORM_AMD__ in C and C++; the gates in configure.ac and Makefile.am; the"
          + " branches in CMake files that only USE_ROCM, USE_HIP, HIP_PLATFORM_AMD, ROCPORT_AMD or"
          + " hip_FOUND selects; and the code in Python files that runs only under is_rocm. Every"
          + " other file must be unchanged. Added files are allowed and listed.",
      "With --configure, also configures and builds both trees for CUDA, with a stand-in toolkit"
          + " that compiles nothing, and requires the commands for nvcc, the host compilers and the"
          + " archiver to be identical.",
      "Exits with 1 if the proof fails."
    },
    footer = {"", "Examples:", "  rocport isolation cuda-tree single-source-tree"})
public final class IsolationCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "OLD", description = "File or folder before the change.")
  private Path before;

  @Parameters(index = "1", paramLabel = "NEW", description = "The same after the change.")
  private Path after;

  @Option(
      names = "--gate",
      split = ",",
      paramLabel = "MACRO",
      description =
          "Macros, CMake variables and Python names that only AMD builds set, in addition to the"
              + " usual ones.")
  private List<String> gates = new ArrayList<>();

  @Option(
      names = "--configure",
      description = "Configure and build both trees for CUDA, and compare the commands.")
  private boolean configure;

  @Option(
      names = "--configure-arg",
      paramLabel = "ARG",
      description = "Pass this to the trees' configure, to cmake or to make.")
  private List<String> configureArguments = new ArrayList<>();

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Number of parallel commands (default: one for each core).")
  private int jobs = Runtime.getRuntime().availableProcessors();

  @Mixin private PageChoices page;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only failures.")
  private boolean quiet;

  public IsolationCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws ToolchainException, InterruptedException {
    boolean folders = isFolder(before);
    if (folders != isFolder(after)) {
      throw new UsageException("OLD and NEW must be two files or two folders");
    }
    Set<String> macros = new TreeSet<>(gates);
    macros.add(Gates.MACRO);
    List<Checked> checked;
    try {
      SourceTree old = SourceTree.walk(TreeSelection.of(List.of(before)));
      SourceTree now = SourceTree.walk(TreeSelection.of(List.of(after)));
      checked = new Isolation(macros).compare(old, now, !folders);
    } catch (IOException e) {
      throw new UsageException(reason(e));
    }
    List<Compared> builds = configure ? builds(folders) : List.of();
    boolean holds =
        checked.stream().allMatch(c -> c.verdict().holds())
            && builds.stream().allMatch(Compared::holds);
    if (page.json()) {
      json(holds, checked, builds);
    } else {
      text(checked, console.out());
      builds.forEach(b -> text(b, console.out()));
    }
    console.out().flush();
    return (holds ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  private List<Compared> builds(boolean folders) throws ToolchainException, InterruptedException {
    if (!folders) {
      throw new UsageException("--configure needs two folders");
    }
    if (jobs < 1) {
      throw new UsageException("--jobs must be 1 or more, not " + jobs);
    }
    Toolchain toolchain =
        Toolchains.require(ToolchainCommand.request(), ToolchainCommand.progress(console, quiet));
    List<Compared> builds;
    try {
      builds =
          new CudaBuild(
                  toolchain, ToolchainCommand.progress(console, quiet), jobs, configureArguments)
              .compare(before, after);
    } catch (IOException e) {
      throw new UsageException(reason(e));
    }
    if (builds.isEmpty()) {
      throw new UsageException(before + ": no build system whose commands can be compared");
    }
    return builds;
  }

  private static boolean isFolder(Path path) {
    if (!Files.exists(path)) {
      throw new UsageException(path + ": no such file or folder");
    }
    TreeChoices.requireFileOrFolder(path);
    return Files.isDirectory(path);
  }

  private static String reason(IOException e) {
    String file = e instanceof FileSystemException f ? f.getFile() + ": " : "";
    return file + SourceTree.reason(e);
  }

  private void text(List<Checked> checked, PrintWriter out) {
    for (Checked c : checked) {
      if (c.verdict() == Verdict.ADDED && !quiet) {
        out.println("added    " + c.path());
      } else if (!c.verdict().holds()) {
        String place = c.line() == 0 ? c.path() : c.path() + ":" + c.line();
        out.println(label(c.verdict()) + place + ": " + c.message());
        if (c.line() > 0) {
          out.println("  old line " + c.oldLine() + ": " + c.was());
          out.println("  new line " + c.line() + ": " + c.is());
        }
      }
    }
    if (!quiet) {
      out.printf(
          Locale.ROOT,
          "%d files: %d the same, %d the same without their %d gates, %d added, %d different%n",
          checked.size(),
          count(checked, Verdict.IDENTICAL),
          count(checked, Verdict.GATED),
          checked.stream().filter(c -> c.verdict() == Verdict.GATED).mapToInt(Checked::gates).sum(),
          count(checked, Verdict.ADDED),
          checked.stream().filter(c -> !c.verdict().holds()).count());
    }
  }

  private void text(Compared build, PrintWriter out) {
    if (!build.problem().isEmpty()) {
      out.println("unproven  " + build.system() + ": " + build.problem());
    }
    build.onlyOld().forEach(c -> text("only old", c, out));
    build.onlyNew().forEach(c -> text("only new", c, out));
    build.files().forEach(f -> out.println("generated  " + f));
    if (!quiet) {
      out.printf(
          Locale.ROOT,
          "%s: %d commands the same, %d only in the old tree, %d only in the new one%n",
          build.system(),
          build.same(),
          build.onlyOld().size(),
          build.onlyNew().size());
    }
  }

  private static void text(String which, CudaCommand command, PrintWriter out) {
    out.println(which + " " + command.text() + "  (in " + command.folder() + ")");
  }

  private static String label(Verdict verdict) {
    return switch (verdict) {
      case MISSING -> "missing  ";
      case UNKNOWN -> "unproven ";
      default -> "differs  ";
    };
  }

  private static long count(List<Checked> checked, Verdict verdict) {
    return checked.stream().filter(c -> c.verdict() == verdict).count();
  }

  private void json(boolean holds, List<Checked> checked, List<Compared> builds) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartObject();
      g.writeBooleanProperty("holds", holds);
      g.writeArrayPropertyStart("files");
      for (Checked c : checked) {
        g.writeStartObject();
        g.writeStringProperty("path", c.path());
        g.writeStringProperty("verdict", c.verdict().name().toLowerCase(Locale.ROOT));
        g.writeNumberProperty("gates", c.gates());
        if (!c.message().isEmpty()) {
          g.writeStringProperty("message", c.message());
        }
        if (c.line() > 0) {
          g.writeNumberProperty("line", c.line());
          g.writeNumberProperty("oldLine", c.oldLine());
          g.writeStringProperty("was", c.was());
          g.writeStringProperty("is", c.is());
        }
        g.writeEndObject();
      }
      g.writeEndArray();
      if (configure) {
        g.writeArrayPropertyStart("builds");
        builds.forEach(b -> json(g, b));
        g.writeEndArray();
      }
      g.writeEndObject();
    }
    console.out().println();
  }

  private static void json(JsonGenerator g, Compared build) {
    g.writeStartObject();
    g.writeStringProperty("system", build.system());
    g.writeBooleanProperty("holds", build.holds());
    g.writeNumberProperty("same", build.same());
    json(g, "onlyOld", build.onlyOld());
    json(g, "onlyNew", build.onlyNew());
    g.writeArrayPropertyStart("generated");
    build.files().forEach(g::writeString);
    g.writeEndArray();
    if (!build.problem().isEmpty()) {
      g.writeStringProperty("message", build.problem());
    }
    g.writeEndObject();
  }

  private static void json(JsonGenerator g, String name, List<CudaCommand> commands) {
    g.writeArrayPropertyStart(name);
    for (CudaCommand c : commands) {
      g.writeStartObject();
      g.writeStringProperty("folder", c.folder());
      g.writeStringProperty("command", c.text());
      g.writeEndObject();
    }
    g.writeEndArray();
  }
}
