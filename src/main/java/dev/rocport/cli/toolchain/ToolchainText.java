package dev.rocport.cli.toolchain;

import dev.rocport.build.project.ProjectSystems;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.Extras;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.stream.Collectors;

/** A toolchain for people. */
final class ToolchainText {
  private ToolchainText() {}

  static void write(PrintWriter out, Toolchain t) {
    String kind =
        switch (t.kind()) {
          case ROCM -> "ROCm on this machine";
          case PROVISIONED -> "installed by rocport (libraries are for linking only)";
        };
    line(out, "toolchain", kind);
    line(out, "root", t.root());
    line(out, "HIP", t.hip());
    line(out, "compiler", t.clang());
    line(out, "", t.clangVersion());
    line(out, "targets", joined(t.targets()));
    line(out, "device libs", t.deviceLibs());
    t.sysroot().ifPresent(s -> line(out, "sysroot", s));
    line(out, "libraries", joined(t.libraries().stream().map(Library::linkName).toList()));
    line(out, "fingerprint", t.fingerprint());
  }

  /** The programs beside the compiler; a line each. */
  static void writeExtras(PrintWriter out, ToolchainRequest request) throws ToolchainException {
    for (Extra extra : ProjectSystems.extras()) {
      String where =
          Extras.find(extra, request)
              .map(t -> t.bin() + (t.provisioned() ? " (installed by rocport)" : ""))
              .orElse("none; installed when first needed");
      line(out, extra.label(), where);
    }
  }

  private static String joined(Collection<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static void line(PrintWriter out, String name, Object value) {
    out.printf("%-12s %s%n", name, value);
  }
}
