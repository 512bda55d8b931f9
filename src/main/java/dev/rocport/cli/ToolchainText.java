package dev.rocport.cli;

import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
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

  private static String joined(Collection<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static void line(PrintWriter out, String name, Object value) {
    out.printf("%-12s %s%n", name, value);
  }
}
