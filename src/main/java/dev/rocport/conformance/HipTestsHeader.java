package dev.rocport.conformance;

import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/**
 * The common header of the tests in precompiled form: it includes Catch2, and takes most of the
 * time of a compile. A script before the compiler uses it for sources that define nothing before
 * they include a header of the tests. A compile that fails with it runs again without it.
 */
final class HipTestsHeader {
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final String SCRIPT =
      """
      #!/bin/sh
      # COMPILER ARGUMENT...: compiles a test, with the precompiled header where that makes no difference.
      # The compiler has no option of the older name, which a test gives.
      for argument do
        shift
        [ "$argument" = -fallow-half-arguments-and-returns ] && argument=-fnative-half-arguments-and-returns
        set -- "$@" "$argument"
      done
      source=
      for argument in "$@"; do
        case $argument in *.cc | *.cpp) source=$argument ;; esac
      done
      if [ -f '@FOLDER@/host.h.pch' ] && [ -f '@FOLDER@/@TARGET@.h.pch' ] && [ -f "$source" ] && awk '
          /^[ \t]*#[ \t]*(define|undef)/ { exit }
          /^[ \t]*#[ \t]*include[ \t]*[<"][^">]*[.]hh[">]/ { found = 1; exit }
          END { exit !found }' "$source"; then
        compiler=$1
        shift
        "$compiler" -Xarch_host '-include@FOLDER@/host.h' -Xarch_@TARGET@ '-include@FOLDER@/@TARGET@.h' "$@" 2> /dev/null && exit
        exec "$compiler" "$@"
      fi
      exec "$@"
      """;

  private final Path folder;
  private final String target;

  HipTestsHeader(Path folder, String target) {
    this.folder = folder;
    this.target = target;
  }

  /** Writes the script, which goes before the compiler. */
  Path script() throws IOException {
    Files.createDirectories(folder);
    Path script = folder.resolveSibling("launch");
    Files.writeString(
        script, SCRIPT.replace("@FOLDER@", folder.toString()).replace("@TARGET@", target));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }

  /**
   * Makes it, if it was not made for the same command. Without it, compiles take longer.
   *
   * @param compile the command that compiles a test
   * @param exec a program in the folder of that command
   */
  void make(String compile, Checkout checkout, Path runtime, ExecIn exec)
      throws IOException, InterruptedException {
    int flags = compile.indexOf(" -MD ");
    String compiler = compile.replaceFirst("^\\S*/launch ", "");
    if (flags < 0 || compiler.length() == compile.length()) {
      return;
    }
    String start = compiler.substring(0, flags - (compile.length() - compiler.length()));
    String key =
        "%s\n%s\n%s\n"
            .formatted(start, runtime, Files.getLastModifiedTime(checkout.header()).toMillis());
    Path made = folder.resolve("key");
    if (Files.exists(made) && Files.readString(made).equals(key)) {
      return;
    }
    Files.deleteIfExists(made);
    for (String side : List.of("host", target)) {
      Files.deleteIfExists(folder.resolve(side + ".h.pch"));
      String command =
          "%s --cuda-%s-only -include '%s' -x hip -fsyntax-only /dev/null -Xclang -emit-pch -Xclang -o -Xclang '%s/%s.h.pch'"
              .formatted(
                  start, side.equals("host") ? side : "device", checkout.header(), folder, side);
      exec.of(List.of("/bin/sh", "-c", command)).limit(LIMIT).run();
    }
    Files.writeString(made, key, StandardCharsets.UTF_8);
  }

  /** Starts a program of a build. */
  @FunctionalInterface
  interface ExecIn {
    Exec of(List<String> command);
  }
}
