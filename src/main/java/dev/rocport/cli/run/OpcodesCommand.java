package dev.rocport.cli.run;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.device.codeobject.BadCodeObjectException;
import dev.rocport.device.codeobject.EmbeddedCode;
import dev.rocport.device.dispatch.OpcodeCensus;
import dev.rocport.device.isa.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rocport opcodes}: which instructions of binaries the device does not run. */
@Command(
    name = "opcodes",
    mixinStandardHelpOptions = true,
    description = {
      "Counts the opcodes in programs, libraries and code objects, and lists those that the device"
          + " does not run.",
      "A code object for a generic target counts for each of its GPUs. Exits with 1 if the device"
          + " runs less than --least."
    },
    footer = {
      "",
      "Examples:",
      "  rocport opcodes build/app",
      "  rocport opcodes --target gfx1100 --least 98 librocsparse.so.1"
    })
public final class OpcodesCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Binaries with GPU code.")
  private List<Path> files;

  @Option(
      names = "--target",
      split = ",",
      paramLabel = "LIST",
      description = "Count code for these GPUs (default: all that the device can emulate).")
  private List<String> targets = Arrays.stream(Target.values()).map(Target::arch).toList();

  @Option(
      names = "--least",
      paramLabel = "PERCENT",
      description =
          "The share of opcodes of which the device must run every instruction (default: any).")
  private double least;

  public OpcodesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!(least >= 0 && least <= 100)) {
      throw new UsageException("--least requires a number from 0 to 100");
    }
    boolean enough = true;
    int objects = 0;
    for (String name : targets) {
      Target target =
          Target.named(name)
              .orElseThrow(() -> new UsageException("--target: the device cannot emulate " + name));
      OpcodeCensus census = new OpcodeCensus(target);
      files.forEach(file -> count(file, census));
      if (census.objects() > 0) {
        print(census);
      }
      objects += census.objects();
      enough &= census.percent() >= least;
    }
    if (objects == 0) {
      throw new UsageException("no file has code for " + String.join(", ", targets));
    }
    return (enough ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  private static void count(Path file, OpcodeCensus census) {
    try (FileChannel channel = FileChannel.open(file)) {
      if (channel.size() > Integer.MAX_VALUE) {
        throw new UsageException(file + ": larger than 2 GiB");
      }
      ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      String name = String.valueOf(file.getFileName());
      EmbeddedCode.read(bytes, file.toString(), census.target(), o -> census.add(o, name));
    } catch (BadCodeObjectException e) {
      throw new UsageException(file + ": " + e.getMessage());
    } catch (IOException e) {
      throw new UsageException("cannot read " + file + ": " + e.getMessage());
    }
  }

  private void print(OpcodeCensus census) {
    List<OpcodeCensus.Row> opcodes = census.opcodes();
    console
        .out()
        .printf(
            Locale.ROOT,
            "%s: %d opcodes in %d instructions of %d code objects; %d of them run (%.1f %%)%n",
            census.target().arch(),
            opcodes.size(),
            census.instructions(),
            census.objects(),
            opcodes.stream().filter(r -> r.refused() == 0).count(),
            census.percent());
    for (OpcodeCensus.Row row : census.refused()) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "  %s: %d of %d do not run; the first: %s%n",
              row.name(),
              row.refused(),
              row.count(),
              row.first());
    }
  }
}
