package dev.rocport.cli.option;

import dev.rocport.cli.support.UsageException;
import dev.rocport.toolchain.runtime.LibsRuntime;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that selects whose libraries programs load on the device. */
public final class LibsChoices {
  @Option(
      names = "--libs-runtime",
      paramLabel = "rocm|standin",
      defaultValue = "standin",
      description = {
        "The hipBLAS, hipFFT, hipRAND, hipSOLVER, hipSPARSE and roc* libraries that programs load"
            + " on the rocport device. standin: rocport stand-ins (default). rocm: AMD's own, from"
            + " Debian packages, for gfx90a; downloads up to 1.2 GB on first use.",
        "ROCPORT_PACKAGES names a folder with the packages."
      })
  private LibsRuntime libraries;

  /**
   * What is asked for.
   *
   * @param targets that programs run on
   */
  public LibsRuntime of(List<String> targets) {
    if (libraries == LibsRuntime.ROCM && !targets.equals(List.of(LibsRuntime.TARGET))) {
      throw new UsageException(
          "--libs-runtime rocm accepts only %s: the Debian packages of AMD's libraries hold no code for %s"
              .formatted(
                  LibsRuntime.TARGET,
                  String.join(
                      ", ", targets.stream().filter(t -> !t.equals(LibsRuntime.TARGET)).toList())));
    }
    return libraries;
  }
}
