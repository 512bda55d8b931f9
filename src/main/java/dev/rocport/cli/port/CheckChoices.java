package dev.rocport.cli.port;

import dev.rocport.build.PortCheck;
import dev.rocport.build.check.Nvcc;
import dev.rocport.cli.support.AnyWord;
import dev.rocport.cli.support.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and how a port is compiled. */
final class CheckChoices {
  @Option(
      names = "--check",
      description = {
        "Compile each changed unit for device and host, without writing objects, and report errors",
        "that no finding explains."
      })
  private boolean check;

  @Option(
      names = "--make-arg",
      paramLabel = "ARG",
      parameterConsumer = AnyWord.class,
      description =
          "With --check: pass this target or variable to make, as in --make-arg test --make-arg"
              + " DEBUG=1.")
  private List<String> makeArguments = new ArrayList<>();

  @Option(
      names = "--configure-arg",
      paramLabel = "ARG",
      parameterConsumer = AnyWord.class,
      description =
          "With --check: pass this to configure, cmake, meson or bazel, after the rocport"
              + " arguments.")
  private List<String> configureArguments = new ArrayList<>();

  @Option(
      names = "--nvcc",
      paramLabel = "FILE",
      description = {
        "With --check: also compile originals of units with unexplained errors with this nvcc, and"
            + " leave out errors in lines that it rejects, too."
      })
  private @Nullable Path nvcc;

  boolean check() {
    return check;
  }

  /**
   * Checks that the options fit together.
   *
   * @throws UsageException if there are some without a check, or there is no such compiler
   */
  void verify() {
    if (!check && !(makeArguments.isEmpty() && configureArguments.isEmpty())) {
      throw new UsageException("--make-arg and --configure-arg require --check");
    }
    if (!check && nvcc != null) {
      throw new UsageException("--nvcc requires --check");
    }
    if (nvcc != null && !(Files.isRegularFile(nvcc) && Files.isExecutable(nvcc))) {
      throw new UsageException("--nvcc: " + nvcc + " is not a program");
    }
  }

  /** Returns the arguments for the build. */
  PortCheck.Arguments arguments() {
    return new PortCheck.Arguments(makeArguments, configureArguments);
  }

  /** Returns the compiler for an original. */
  Optional<Nvcc> nvcc(Optional<Path> original) {
    return Optional.ofNullable(nvcc).flatMap(n -> original.map(o -> new Nvcc(n, o)));
  }
}
