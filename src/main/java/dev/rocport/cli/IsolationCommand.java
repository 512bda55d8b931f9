package dev.rocport.cli;

import dev.rocport.report.Json;
import dev.rocport.single.Gates;
import dev.rocport.single.Isolation;
import dev.rocport.single.Isolation.Checked;
import dev.rocport.single.Isolation.Verdict;
import dev.rocport.source.SourceTree;
import dev.rocport.source.TreeSelection;
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

/** {@code rocport isolation}: proves that a change touches nothing that NVIDIA compiles. */
@Command(
    name = "isolation",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Proves that NEW is OLD for NVIDIA: once the branches behind __HIP_PLATFORM_AMD__ are taken"
          + " out, every C and C++ file is the old one, byte for byte; so is every configure.ac and"
          + " Makefile.am once its gates are, and every file of CMake's once the branches that only"
          + " USE_ROCM, USE_HIP, HIP_PLATFORM_AMD, ROCPORT_AMD or hip_FOUND takes are, and every"
          + " Python file once what only is_rocm runs is; every other file is the same. Added files"
          + " are allowed and listed.",
      "Exits with 1 where that does not hold."
    })
final class IsolationCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "OLD", description = "File or folder before the change.")
  private Path before;

  @Parameters(index = "1", paramLabel = "NEW", description = "The same after it.")
  private Path after;

  @Option(
      names = "--gate",
      split = ",",
      paramLabel = "MACRO",
      description =
          "Macros, CMake variables and names of Python that only AMD builds set, beside the usual.")
  private List<String> gates = new ArrayList<>();

  @Mixin private PageChoices page;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only what does not hold.")
  private boolean quiet;

  IsolationCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
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
    if (page.json()) {
      json(checked);
    } else {
      text(checked, console.out());
    }
    console.out().flush();
    boolean holds = checked.stream().allMatch(c -> c.verdict().holds());
    return (holds ? ExitCode.OK : ExitCode.FINDINGS).code();
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
          "%d files: %d the same, %d the same without their %d gates, %d added, %d not%n",
          checked.size(),
          count(checked, Verdict.IDENTICAL),
          count(checked, Verdict.GATED),
          checked.stream().filter(c -> c.verdict() == Verdict.GATED).mapToInt(Checked::gates).sum(),
          count(checked, Verdict.ADDED),
          checked.stream().filter(c -> !c.verdict().holds()).count());
    }
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

  private void json(List<Checked> checked) {
    try (JsonGenerator g = Json.generator(console.out())) {
      g.writeStartObject();
      g.writeBooleanProperty("holds", checked.stream().allMatch(c -> c.verdict().holds()));
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
      g.writeEndObject();
    }
    console.out().println();
  }
}
